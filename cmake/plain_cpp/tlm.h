#error "This block is plain C++ and knows no SystemC: the module that wraps it lives in another block."
