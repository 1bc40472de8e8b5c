import { Agent, request } from 'undici';
import { ownJob, tellFound } from '../measure.ts';
import { createChance } from '../world/chance.ts';
import { projects } from '../world/invent-issue.ts';
import { type LoadFound, loadJob } from './load-job.ts';

/** A request that has not ended after this time (ms) is broken. */
const PATIENCE_MS = 60_000;

interface Kind {
  readonly share: number;
  readonly size: 'small' | 'large';
  readonly method?: 'POST';
  path(chance: () => number): string;
}

const everything = { filterType: 'customjql', customjql: 'created >= "2000-01-01"' };
const query = (path: string, parameters: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams({ columnsBy: 'statusDuration', ...parameters })}`;
const oneOf = <Item>(items: readonly Item[], chance: () => number): Item | undefined =>
  items[Math.floor(chance() * items.length)];
const project = (chance: () => number) => ({
  filterType: 'project',
  projectKey: oneOf(projects, chance) ?? '',
});

/** The requests of a busy morning: most are about single issues. */
const kindsOf = (issues: number, withExports: boolean): readonly Kind[] => [
  {
    ...{ share: 0.7, size: 'small' },
    path(chance) {
      const n = Math.floor(chance() * issues);
      const issueKey = `${projects[n % projects.length]}-${Math.floor(n / projects.length) + 1}`;
      return query('/rest/issue', { issueKey });
    },
  },
  { ...{ share: 0.1, size: 'small' }, path: () => '/rest/statuses' },
  { ...{ share: 0.08, size: 'large' }, path: (chance) => query('/rest/issues', project(chance)) },
  {
    ...{ share: 0.04, size: 'large' },
    path: (chance) => query('/rest/issues/aggregation', { ...project(chance), aggregationType: 'median' }),
  },
  {
    ...{ share: 0.03, size: 'large' },
    path: (chance) =>
      query('/rest/issues/aggregation', {
        ...everything,
        aggregationType: 'average',
        groupByFields: oneOf(['issuetype', 'priority'], chance) ?? '',
      }),
  },
  {
    ...{ share: 0.04, size: 'large' },
    path: (chance) => query('/rest/issues/weekly', { ...project(chance), week: 'last' }),
  },
  {
    ...{ share: withExports ? 0.001 : 0, size: 'small', method: 'POST' },
    path: (chance) => query('/rest/export', { ...project(chance), outputType: 'CSV' }),
  },
];

const { url, tokens, issues, seed, forMs, perSecond, workers, withExports } = loadJob.parse(ownJob());
const chance = createChance(seed);
const kinds = kindsOf(issues, withExports);
const shares = kinds.reduce((sum, { share }) => sum + share, 0);
const dispatcher = new Agent({ pipelining: 1, connections: null, keepAliveTimeout: 30_000 });
const newClass = () => ({
  sent: 0,
  answeredMs: [] as number[],
  refusedMs: [] as number[],
  broken: [] as string[],
});
const found = { small: newClass(), large: newClass() };
const exports: [number, string][] = [];
let withoutRetryAfter = 0;

function kindOf(): Kind {
  let at = chance() * shares;
  for (const kind of kinds) {
    if (at < kind.share) return kind;
    at -= kind.share;
  }
  return kinds[0] as Kind;
}

async function send(due: number): Promise<void> {
  const kind = kindOf();
  const asker = Math.floor(chance() * tokens.length);
  const own = found[kind.size];
  own.sent += 1;
  try {
    const { statusCode, headers, body } = await request(`${url}${kind.path(chance)}`, {
      dispatcher,
      method: kind.method ?? 'GET',
      headers: { authorization: `TISJWT ${tokens[asker]}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await body.text();
    const ms = performance.now() - due;
    if (statusCode === 200) own.answeredMs.push(ms);
    else if (statusCode === 503 || statusCode === 429) own.refusedMs.push(ms);
    else own.broken.push(`${statusCode} ${text.slice(0, 200)}`);
    if ((statusCode === 503 || statusCode === 429) && headers['retry-after'] === undefined)
      withoutRetryAfter += 1;
    if (statusCode === 200 && kind.method === 'POST') exports.push([asker, JSON.parse(text).exportId]);
  } catch (error) {
    own.broken.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  }
}

const began = performance.now();
const end = began + forMs;
const underWay = new Set<Promise<void>>();
if (workers !== undefined) {
  for (let i = 0; i < workers; i += 1) {
    const work = async () => {
      while (performance.now() < end) await send(performance.now());
    };
    underWay.add(work());
  }
} else {
  // The times between two requests are exponential, as those of many clients who know nothing of each other.
  for (let due = began; due < end; due += -Math.log(1 - chance()) * (1_000 / (perSecond ?? 1))) {
    const rest = due - performance.now();
    if (rest > 1) await new Promise((resolve) => setTimeout(resolve, rest));
    const sent = send(due);
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
  }
}
await Promise.all(underWay);
await dispatcher.close();
const drainMs = Math.max(0, performance.now() - end);
tellFound({ ...found, exports, withoutRetryAfter, drainMs } satisfies LoadFound);
