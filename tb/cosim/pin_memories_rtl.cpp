#include "pin_memories_rtl.h"

#include "PinMemories.h"

namespace dve::cosim {

std::unique_ptr<sc_core::sc_module> make_pin_memories(sc_core::sc_clock& clk, MemorySignals& signals) {
  Verilated::randReset(2);
  auto model = std::make_unique<PinMemories>("memories");
  model->clk(clk);
  model->reset(signals.reset);
  model->sram_enable(signals.sram.enable);
  model->sram_write(signals.sram.write);
  model->sram_address(signals.sram.address);
  model->sram_byte_enable(signals.sram.byte_enable);
  model->sram_wdata(signals.sram.wdata);
  model->sram_rdata(signals.sram.rdata);
  model->awid(signals.axi.aw.id);
  model->awaddr(signals.axi.aw.addr);
  model->awlen(signals.axi.aw.len);
  model->awsize(signals.axi.aw.size);
  model->awburst(signals.axi.aw.burst);
  model->awvalid(signals.axi.aw.valid);
  model->awready(signals.axi.aw.ready);
  model->wdata(signals.axi.wdata);
  model->wstrb(signals.axi.wstrb);
  model->wlast(signals.axi.wlast);
  model->wvalid(signals.axi.wvalid);
  model->wready(signals.axi.wready);
  model->bid(signals.axi.bid);
  model->bresp(signals.axi.bresp);
  model->bvalid(signals.axi.bvalid);
  model->bready(signals.axi.bready);
  model->arid(signals.axi.ar.id);
  model->araddr(signals.axi.ar.addr);
  model->arlen(signals.axi.ar.len);
  model->arsize(signals.axi.ar.size);
  model->arburst(signals.axi.ar.burst);
  model->arvalid(signals.axi.ar.valid);
  model->arready(signals.axi.ar.ready);
  model->rid(signals.axi.rid);
  model->rdata(signals.axi.rdata);
  model->rresp(signals.axi.rresp);
  model->rlast(signals.axi.rlast);
  model->rvalid(signals.axi.rvalid);
  model->rready(signals.axi.rready);
  return model;
}

}  // namespace dve::cosim
