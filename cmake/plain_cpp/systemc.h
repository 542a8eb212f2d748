#error "This block is plain C++: decisions and arithmetic know no SystemC. Move the code to the block that wraps it in a module."
