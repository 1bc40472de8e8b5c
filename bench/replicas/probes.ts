import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { TenantStore } from '../../src/store/store.ts';
import { anIssue } from '../../test/support/issue-story.ts';
import type { Replica } from './processes.ts';

/** Issues that are written past Jira, so that the instant of the commit is known. */
const PROBES = 20;
/** As many statuses that no two changes of an issue in a row have the same. */
const STATUSES = 7;
const keyOf = (n: number) => `PROBE-${(n % PROBES) + 1}`;

const listed = z.object({ results: z.array(z.object({ Key: z.string(), Summary: z.string() })) });

/** Writes issues into the store as a further process does, and holds answers of all processes against them. */
export function createProbes(
  store: TenantStore,
  replicas: readonly Replica[],
  headers: Readonly<Record<string, string>>,
) {
  const issues = store.issues('jira');
  const committed = new Map<string, string>();
  let freshMs: number[] = [];
  let stale: string[] = [];
  let count = 0;
  let isPaused = false;

  const statusOf = (n: number) => `Probe ${n % STATUSES}`;

  async function put(word: string) {
    count += 1;
    const key = keyOf(count);
    const summary = `${word} ${count}`;
    const { issue } = anIssue(key, '2026-03-02T09:00:00Z', statusOf(count));
    const told = { ...issue, summary, fields: { ...issue.fields, summary } };
    await issues.putIssues([told], (_, incoming) => incoming);
    committed.set(key, summary);
    return { key, status: statusOf(count) };
  }

  /** The summaries of the issues that a process finds by its columns, by key; null where it does not answer. */
  async function shownBy({ url }: Replica, customjql: string) {
    const parameters = new URLSearchParams({
      ...{ filterType: 'customjql', customjql, outputType: 'jsonSimplified' },
      columnsBy: 'statusDuration',
    });
    const answer = await fetch(`${url}/rest/issues/v2?${parameters}`, {
      ...{ headers, signal: AbortSignal.timeout(5_000) },
    }).catch(() => null);
    const text = await answer?.text().catch(() => '');
    if (answer === null || answer.status === 503 || text === undefined || text === '') return null;
    const read = listed.safeParse(JSON.parse(text));
    if (!read.success) return new Map([['answer', text.slice(0, 300)]]);
    return new Map(read.data.results.map(({ Key, Summary }) => [Key, Summary]));
  }

  return {
    put,
    /** Stops and continues what `run` does. */
    pause(now: boolean): void {
      isPaused = now;
    },
    committed: (): ReadonlyMap<string, string> => new Map(committed),
    /** Changes an issue every so often (ms), and asks each process for it at once, until the signal. */
    async run(everyMs: number, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const changed = isPaused ? null : await put('Probe').catch(() => null);
        const at = performance.now();
        if (changed !== null) {
          const { key, status } = changed;
          await Promise.all(
            replicas.map(async (replica) => {
              if (!replica.isReady()) return;
              const shown = await shownBy(replica, `key = ${key} AND status = "${status}"`);
              if (shown === null) return;
              if (shown.get(key) === committed.get(key)) freshMs.push(performance.now() - at);
              else stale.push(`${key}: ${[...shown].join(' ')}, and not ${committed.get(key)}`);
            }),
          );
        }
        await pause(everyMs, undefined, { signal }).catch(() => {});
      }
    },
    /** Returns the probes as the store has them. */
    async stored(): Promise<ReadonlyMap<string, string>> {
      const all = await Promise.all(
        Array.from({ length: PROBES }, async (_, i) => [keyOf(i), (await issues.issue(keyOf(i)))?.summary]),
      );
      return new Map(all.flatMap(([key, summary]) => (key && summary ? [[key, summary]] : [])));
    },
    /** Returns what the next answer of each process has otherwise than the store; one that does not answer is asked again. */
    async differences(): Promise<readonly string[]> {
      const right = await this.stored();
      const all = await Promise.all(
        replicas.map(async (replica) => {
          let shown = null;
          for (let tries = 0; shown === null && tries < 100; tries += 1) {
            shown = await shownBy(replica, 'project = PROBE');
            if (shown === null) await pause(100);
          }
          return [...right]
            .filter(([key, summary]) => shown?.get(key) !== summary)
            .map(([key, summary]) => `${replica.url}: ${key} is ${shown?.get(key)}, and not ${summary}`);
        }),
      );
      return all.flat();
    },
    /** Returns since the last call how long (ms) after a commit each process had answered with it, and what was not in an answer. */
    take() {
      const taken = { freshMs: freshMs.sort((a, b) => a - b), stale };
      [freshMs, stale] = [[], []];
      return taken;
    },
  };
}
