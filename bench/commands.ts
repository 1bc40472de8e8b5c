import { percentile } from '../src/engine/statistics.ts';
import { type Load, type LoadFound, runLoad } from './commands/run-load.ts';

/** Slack gives up after three seconds; half of a tenth is what nobody notices. */
const MOST_ACK_MS = 3_000;
const ACK_P99_MS = 100;

/**
 * Types slash commands at a steady rate, over Socket Mode and over signed HTTP, and prints what people would have
 * noticed. `SECONDS` (60) and `RATE` (200 a second) change the load, `MODE` (`socket`, `http`) leaves the other out,
 * `PROFILE` names a folder for what the processor did.
 */
export async function benchCommands(): Promise<void> {
  const { SECONDS = '60', RATE = '200', MODE, PROFILE = null } = process.env;
  const load = { seconds: Number(SECONDS), rate: Number(RATE), profile: PROFILE };
  const modes = (['socket', 'http'] as const).filter((mode) => MODE === undefined || MODE === mode);
  for (const mode of modes) await tell({ ...load, mode });
}

async function tell(load: Load): Promise<void> {
  const found = await runLoad(load);
  console.log(`${load.rate} commands a second for ${load.seconds} s over ${load.mode}`);
  const kinds = [...new Set(found.commands.map(({ kind }) => kind))];
  console.table(
    Object.fromEntries([
      ...kinds.map((kind) => [kind, rowOf(found, (one) => one === kind)]),
      ['all', rowOf(found, () => true)],
    ]),
  );
  const { dwell, standIn, failures } = found;
  const each = Math.round((dwell.cpuMs / found.commands.length) * 100) / 100;
  console.table({ dwell: { ...dwell, 'cpu ms a command': each }, 'stand-in': standIn });
  for (const failure of failures.slice(0, 5)) console.log(failure);
  const acks = found.commands.map(({ ackMs }) => ackMs);
  const promises = {
    'every ack under 3 s': Math.max(...acks) < MOST_ACK_MS && found.commands.every(({ isAcked }) => isAcked),
    'p99 of acks under 100 ms': (percentile(acks, 99) ?? 0) < ACK_P99_MS,
    'nothing lost, nothing failed':
      failures.length === 0 && found.commands.every(({ replyMs, isFailed }) => replyMs !== null && !isFailed),
  };
  console.table(Object.fromEntries(Object.entries(promises).map(([name, kept]) => [name, { kept }])));
}

function rowOf({ commands }: LoadFound, isWanted: (kind: string) => boolean) {
  const wanted = commands.filter(({ kind }) => isWanted(kind));
  const acks = wanted.map(({ ackMs }) => ackMs);
  const replies = wanted.flatMap(({ replyMs }) => (replyMs === null ? [] : [replyMs]));
  const at = (values: readonly number[], percent: number) => round(percentile(values, percent) ?? Number.NaN);
  return {
    typed: wanted.length,
    'ack p50': at(acks, 50),
    'ack p99': at(acks, 99),
    'ack max': at(acks, 100),
    'reply p50': at(replies, 50),
    'reply p99': at(replies, 99),
    'reply max': at(replies, 100),
    unacked: wanted.filter(({ isAcked }) => !isAcked).length,
    lost: wanted.length - replies.length,
    failed: wanted.filter(({ isFailed }) => isFailed).length,
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
