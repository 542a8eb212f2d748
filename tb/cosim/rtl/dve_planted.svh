// Planted bugs: faults that the tests put into a unit to show that a scoreboard or a checker finds and names them.
//
// `DVE_PLANTED(name) holds when that bug is chosen. Only a build with DVE_PLANT defined can choose one: it compiles
// dve_planted_pkg.sv too, and the test bench writes dve_planted_pkg::chosen. Everywhere else the macro is the constant 0.
`ifndef DVE_PLANTED_SVH
`define DVE_PLANTED_SVH
`ifdef DVE_PLANT
`define DVE_PLANTED(name) (dve_planted_pkg::chosen == dve_planted_pkg::name)
`else
`define DVE_PLANTED(name) 1'b0
`endif
`endif
