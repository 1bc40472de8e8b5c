import { cp, mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type LoadFound, type LoadJob, loadFound } from '../load/load-job.ts';
import { atShare, runProgram } from '../measure.ts';
import { type Server, startServer } from '../product/start-server.ts';
import { atMost, figureRow, figureText, promised, type Row } from '../rows.ts';
import { rowsBySize, type Suite } from '../suite.ts';
import { worldOf } from '../world/world-folder.ts';

const name = 'load';
/** Users, each with a token of their own. */
const ASKERS = 40;
/** Of the capacity, each for `SECONDS`. */
const MULTIPLES = [0.5, 1, 2, 4];
/** Nobody notices a small request below it (ms), and what recovers is as it was after so long (ms). */
const MAX_SMALL_MS = 250;
const MAX_RECOVERY_MS = 5_000;
/** Time (ms) for which the server is probed after a phase. */
const PROBED_MS = 15_000;
/** A probe that takes less time (ms) is one of a server at rest. */
const AT_REST_MS = 50;

/**
 * Mixed requests at multiples of the rate that the server is able to answer. `SECONDS` (15) is how long each takes, `RATE`
 * the capacity, where it is not to be measured.
 */
export const load: Suite = {
  name,
  about: 'mixed requests at up to four times the capacity: what is refused, how late, how soon it is over',
  quick: null,
  usual: [100_000],
  full: [100_000],
  run: (sizes) => rowsBySize(name, sizes, rowsOf),
};

async function rowsOf(issues: number): Promise<readonly Row[]> {
  const { SECONDS = '15', RATE } = process.env;
  const forMs = Number(SECONDS) * 1_000;
  return withServer(issues, async (server) => {
    const send = loadOf(server, issues);
    await send({ workers: 8, forMs: 5_000 });
    const rows: Row[] = [];
    for (const multiple of MULTIPLES) {
      // What others leave of the machine changes from one phase to the next.
      const capacity = RATE === undefined ? await capacityOf(send) : Number(RATE);
      const before = await server.watched();
      const began = performance.now();
      const phase = send({ perSecond: multiple * capacity, forMs, withExports: true });
      const probes = probe(server, phase);
      const found = await phase;
      const { late, held, peakMb, cpuMs } = await server.watched();
      const processors = (cpuMs - before.cpuMs) / (performance.now() - began);
      const facts = { multiple, capacity, recoveredMs: await probes, late, held, peakMb, processors };
      rows.push(rowOf(issues, found, facts, await faultsOf(server, found)));
    }
    return rows;
  });
}

/** Runs over a copy: files of exports are in no other suite's world. */
export async function withServer<Result>(
  issues: number,
  run: (server: Server) => Promise<Result>,
): Promise<Result> {
  const { dataDir } = await worldOf(issues);
  const folder = await mkdtemp(join(tmpdir(), 'dwell-load-'));
  try {
    const own = join(folder, 'data');
    await cp(dataDir, own, { recursive: true });
    const server = await startServer({ dataDir: own, environment: { ASKERS: String(ASKERS) } });
    try {
      return await run(server);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Phase = Partial<LoadJob> & Pick<LoadJob, 'forMs'>;

/** Sends the requests of a phase from a process of their own. */
export function loadOf({ url, tokens }: Pick<Server, 'url' | 'tokens'>, issues: number) {
  let seed = 0;
  return async (phase: Phase): Promise<LoadFound> => {
    seed += 1;
    const job: LoadJob = { url, tokens, issues, seed, withExports: false, ...phase };
    const [found] = await runProgram({ path: 'load/send-load.ts', job }, (line) => loadFound.parse(line));
    if (found === undefined) throw new Error('The load has sent nothing.');
    return found;
  };
}

/** The requests a second that are answered, where each client sends the next one once it has its answer. */
export async function capacityOf(send: (phase: Phase) => Promise<LoadFound>): Promise<number> {
  const forMs = 5_000;
  const { small, large, drainMs } = await send({ workers: 32, forMs });
  return ((small.answeredMs.length + large.answeredMs.length) * 1_000) / (forMs + drainMs);
}

/** The time (ms) from the end of the load until small requests are as quick as before, and stay so. */
async function probe({ url, tokens }: Server, phase: Promise<LoadFound>): Promise<number> {
  const { drainMs } = await phase;
  const ended = performance.now() - drainMs;
  const path = `/rest/issue?${new URLSearchParams({ issueKey: 'WEB-1', columnsBy: 'statusDuration' })}`;
  let since: number | null = null;
  while (performance.now() - ended < PROBED_MS) {
    const began = performance.now();
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: `TISJWT ${tokens[0]}` } });
    await answer.arrayBuffer();
    const isQuick = answer.status === 200 && performance.now() - began < AT_REST_MS;
    since = isQuick ? (since ?? began) : null;
    if (since !== null && performance.now() - since > 1_000) return Math.max(0, since - ended);
    await pause(50);
  }
  return Number.POSITIVE_INFINITY;
}

const exportAnswer = z.object({ status: z.string() });

/** Returns what was lost: requests without an answer, and accepted exports without a file. */
export async function faultsOf(
  { url, tokens }: Server,
  { exports, small, large }: LoadFound,
): Promise<readonly string[]> {
  const headers = (asker: number) => ({ Authorization: `TISJWT ${tokens[asker]}` });
  const faults = [...small.broken, ...large.broken];
  for (const [asker, id] of exports) {
    for (const until = performance.now() + 120_000; ; await pause(200)) {
      const answer = await fetch(`${url}/rest/export/${id}`, { headers: headers(asker) });
      const { status } = exportAnswer.parse(await answer.json());
      if (status === 'Successful') break;
      if (performance.now() < until && status !== 'Failed' && status !== 'Aborted') continue;
      faults.push(`export ${id} is ${status}`);
      break;
    }
  }
  return faults;
}

interface Facts {
  readonly multiple: number;
  readonly capacity: number;
  readonly recoveredMs: number;
  readonly late: number;
  readonly held: number;
  readonly peakMb: number;
  /** Of how many processors the server had the time. */
  readonly processors: number;
}

function rowOf(
  size: number,
  { small, large, exports, withoutRetryAfter, drainMs }: LoadFound,
  { multiple, capacity, recoveredMs, late, held, peakMb, processors }: Facts,
  faults: readonly string[],
): Row {
  const times = (values: readonly number[], ...shares: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return shares.map((share) => figureText(atShare(sorted, share))).join(' / ');
  };
  const share = ({ sent, refusedMs }: LoadFound['small']) =>
    `${Math.round((refusedMs.length / sent) * 100)}%`;
  const p95 = atShare(
    small.answeredMs.toSorted((a, b) => a - b),
    0.95,
  );
  const row = figureRow(
    { suite: name, name: `${multiple} × capacity: small requests, p95`, size, unit: 'ms' },
    p95,
    {
      lateMs: late,
      heldMs: held,
      peakMb,
      fault: faults.length === 0 ? null : `${faults.length}: ${[...new Set(faults)].slice(0, 3).join('; ')}`,
    },
  );
  const isOver = multiple <= 2;
  const within = isOver ? atMost(row, MAX_SMALL_MS) : row;
  return {
    ...promised(within, { text: 'recovered within 5 s', kept: recoveredMs <= MAX_RECOVERY_MS }),
    columns: {
      'requests/s': figureText(multiple * capacity),
      'small p50/p95/p99': times(small.answeredMs, 0.5, 0.95, 0.99),
      'reports p50/p95': times(large.answeredMs, 0.5, 0.95),
      'answered, of small, of reports': `${small.answeredMs.length}/${small.sent}, ${large.answeredMs.length}/${large.sent}`,
      'refused, of small, of reports': `${share(small)}, ${share(large)}`,
      'refused within, p50/p95': times([...small.refusedMs, ...large.refusedMs], 0.5, 0.95),
      'no Retry-After': String(withoutRetryAfter),
      'processors, load': `${figureText(processors)}, ${figureText(loadavg()[0] ?? 0)}`,
      exports: String(exports.length),
      'drained, recovered in': `${figureText(drainMs)}, ${figureText(recoveredMs)}`,
    },
  };
}
