// Folders of runs and sweeps made by dve-sim, a generated sweep of 10,000 points, and their pages.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , sim, scratch] = process.argv;
export const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../..');
const dve = (...words) => execFileSync(sim, words, { cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] });
// Points that fail make a sweep end with 1.
const dveOrOne = (...words) => {
  try { dve(...words); } catch (error) { if (error.status !== 1) throw error; }
};
export const page = (name) => path.join(scratch, `${name}.html`);

// Columns as dve-sim sweep writes them, numbers from a small generator; three axes, a point in fifty failed.
export const LARGE = 10000;
function largeSweep(folder) {
  fs.mkdirSync(folder, { recursive: true });
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const places = ['sbuf', 'psum', 'hbm'];
  const lines = ['point,status,reason,timing.dve.clock_mhz,timing.dve.fill_drain,place.x,cycles,time_ns,bottleneck,instructions,dve_busy,dve_issue_gap,dve_operand_wait,dve_write_wait,dve_bank_conflict,dve_semaphore_wait,dve_fetch,dve_idle,max_rel,mismatches'];
  for (let k = 0; k < LARGE; ++k) {
    const clock = 900 + Math.floor(random() * 600);
    const drain = 65 + Math.floor(random() * 335);
    const place = places[Math.floor(random() * 3)];
    if (k % 50 === 49) {
      lines.push(`${k},error,"place.x = ${place}, expected </script> & ""others""",${clock},${drain},${place},,,,,,,,,,,,,,`);
      continue;
    }
    const buckets = [100000 + Math.floor(random() * 1e6), Math.floor(random() * 99999), drain * 97, Math.floor(random() * 9999), Math.floor(random() * 99999), Math.floor(random() * 999999), 0, 0];
    const cycles = buckets.reduce((a, b) => a + b);
    lines.push([k, 'ok', '', clock, drain, place, cycles, (cycles * 1000 / clock).toFixed(3), random() < 0.5 ? 'dve stream' : 'dma ring 0', 42, ...buckets, random() * 1e-3, 0].join(','));
  }
  fs.writeFileSync(path.join(folder, 'sweep.csv'), `${lines.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'sweep.json'), JSON.stringify({ schema: 1, sweep: { name: 'Zehntausend Punkte \u2264 2 MB </script><b>' }, points: LARGE }));
}

export function makePages() {
  const layer = path.join(root, 'tb/data/digits_cnn/7');
  dve('run', layer, '--quiet', '--step', 'full', '--out', 'full');
  dve('run', layer, '--quiet', '--out', 'run');
  dve('run', layer, '--quiet', '--config', 'sunda', '--set', 'place.x=hbm', '--set', 'place.dy=hbm', '--set', 'place.dx=hbm', '--out', 'hbm');
  dve('run', layer, '--quiet', '--abstraction', 'functional', '--out', 'functional');
  dve('run', 'resnet_18', '--quiet', '--no-data', '--out', 'net');
  dve('run', 'resnet_18', '--quiet', '--no-data', '--config', 'mariana', '--out', 'other_net');
  const sweep = (clock) => ({ schema: 1, name: 'Small', base: { layer, no_data: true, set: { 'memory.port_bytes': clock } }, mode: 'product',
    axes: { 'place.x': ['sbuf', 'psum'], 'place.dy': ['sbuf', 'psum'], 'timing.dve.fill_drain': [65, 144, 400] } });
  fs.writeFileSync(path.join(scratch, 'a.json'), JSON.stringify(sweep(8)));
  fs.writeFileSync(path.join(scratch, 'b.json'), JSON.stringify(sweep(4)));
  dveOrOne('sweep', 'a.json', '--quiet', '--out', 'points');
  dveOrOne('sweep', 'b.json', '--quiet', '--out', 'other_points');
  largeSweep(path.join(scratch, 'large'));
  const report = (name, ...words) => dve('report', ...words, '--quiet', '-o', page(name));
  for (const name of ['full', 'run', 'hbm', 'functional', 'net', 'points', 'large']) report(name, name);
  report('failed', 'points/points/000009');
  report('run_compared', 'run', '--compare', 'hbm');
  report('net_compared', 'net', '--compare', 'other_net');
  report('points_compared', 'points', '--compare', 'other_points');
}
