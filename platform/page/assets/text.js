// Numbers and names as people read them.
const BUCKETS = ['busy', 'issue gap', 'operand wait', 'write wait', 'bank conflict', 'semaphore wait', 'fetch', 'idle'];
const BUCKET_MEANING = [
  'operands stream, or the last results drain', 'between the end of a stream and the next possible issue',
  'a result that is not there yet, or operands that a shared path held back', 'the write buffer was full',
  'another user had the bank of an operand', 'the word waited for a semaphore or an event', 'before the first word', 'nothing issued'];
// A DMA ring has the same buckets with other causes.
const RING_BUCKETS = [...BUCKETS.slice(0, 6), 'start cost', 'idle'];

const digits3 = (value) => {
  if (value === 0) return '0';
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.max(0, Math.min(12, 3 - whole)));
};
const integer = (value) => Math.round(value).toLocaleString('en-US').replaceAll(',', '\u202f');

const TIME_UNITS = [['ns', 1], ['\u00b5s', 1e3], ['ms', 1e6], ['s', 1e9]];
const timeUnit = (ns) => TIME_UNITS.filter(([, size]) => Math.abs(ns) >= size).pop() || TIME_UNITS[0];
const timeText = (ns) => {
  const [unit, size] = timeUnit(ns);
  return `${digits3(ns / size)} ${unit}`;
};
const BYTE_UNITS = [['B', 1], ['kB', 1e3], ['MB', 1e6], ['GB', 1e9], ['TB', 1e12]];
const bytesText = (bytes) => {
  const [unit, size] = BYTE_UNITS.filter(([, s]) => bytes >= s).pop() || BYTE_UNITS[0];
  return size === 1 ? `${integer(bytes)} B` : `${digits3(bytes / size)} ${unit}`;
};
const rateText = (bytesPerNs) => `${digits3(bytesPerNs)} GB/s`;
const percent = (share) => {
  const value = 100 * share;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  return `${value.toFixed(value > 0 && value < 9.95 ? 1 : 0)} %`;
};
const small = (value) => {
  if (typeof value !== 'number') return value === null ? '' : String(value);
  if (value === 0) return '0';
  return Math.abs(value) >= 1e-3 && Math.abs(value) < 1e6 ? digits3(value) : value.toExponential(2);
};
const anyNumber = (value) => {
  if (typeof value !== 'number') return value === null || value === undefined ? '' : String(value);
  return Number.isInteger(value) ? integer(value) : String(Number(value.toPrecision(6)));
};
const change = (a, b) => (a === b ? 'same' : `${b > a ? '+' : '\u2212'}${percent(Math.abs(b / a - 1))}`);
