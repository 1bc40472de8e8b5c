import { setTimeout as pause } from 'node:timers/promises';
import { cast } from '../../test/support/stand-in-jira-cast.ts';
import type { Slack } from '../product/start-slack.ts';
import type { MovingJira, Shown } from './moving-jira.ts';
import type { Balancer } from './processes.ts';

/** How long (ms) a request is sent again before it counts as refused, and an answer in Slack is waited for. */
const PATIENCE_MS = 15_000;
/** How many issues a list has. */
const LISTED = 10;
/** What Dwell says where it cannot answer now. */
const REFUSAL = /does not answer|try again|went wrong/i;
const PROJECTS = ['LARK', 'DESK', 'VAULT', 'FERN'];

/** What came of the requests of one phase. */
export interface Tally {
  requests: number;
  retried: number;
  refused: number;
  commands: number;
  /** Slack said at once that the command failed. */
  unacknowledged: number;
  /** Acknowledged by a process that ended, or lost the database, before it had answered. */
  unanswered: number;
  /** Answers in Slack that came after that time, or a second time. */
  again: number;
  readonly wrong: string[];
  readonly restMs: number[];
  readonly replyMs: number[];
}

export const newTally = (): Tally => ({
  ...{ requests: 0, retried: 0, refused: 0, commands: 0, unacknowledged: 0, unanswered: 0, again: 0 },
  ...{ wrong: [], restMs: [], replyMs: [] },
});

/** What was written by requests: true where it was acknowledged, false where that is unclear. */
export interface Written {
  readonly calendars: Map<string, boolean>;
  readonly delegations: Map<string, boolean>;
}

interface LoadParts {
  readonly balancer: Balancer;
  readonly jira: MovingJira;
  readonly slack: Slack;
  readonly tokens: readonly string[];
}

/** Requests and commands at a steady rate, whose answers are all held against what Jira has had by then. */
export function createLoad({ balancer, jira, slack, tokens }: LoadParts) {
  const written: Written = { calendars: new Map(), delegations: new Map() };
  /** Keys of issues that files were ordered for. */
  const ordered = new Set<string>();
  const totals = new Map<string, { base: number; shown: number }>();
  const baseOf = new Map<string, number>();
  const waiting = new Map<string, { readonly about: string; readonly take: (text: string) => void }>();
  const underWay = new Set<Promise<void>>();
  let tally = newTally();
  let epoch = 0;
  let n = 0;

  slack.playground.listen((change) => {
    if (change.kind !== 'message' || change.message.onlyFor === undefined) return;
    const { channel, onlyFor, text, bySlackbot } = change.message;
    const place = `${onlyFor} ${channel}`;
    const one = waiting.get(place);
    if (bySlackbot === true) return;
    if (one === undefined || !(text.includes(one.about) || REFUSAL.test(text))) {
      tally.again += 1;
      return;
    }
    waiting.delete(place);
    one.take(text);
  });

  const headers = () => ({ Authorization: `TISJWT ${tokens[n % tokens.length]}` });
  const wrong = (begun: number, problem: string | null) => {
    // What a database that is behind has lost may be missing from then on.
    if (problem !== null && begun === epoch) tally.wrong.push(problem);
  };

  /** Sends a request whose answer is JSON; null where it was refused. */
  async function ask(path: string, init: RequestInit = {}) {
    const counts = tally;
    counts.requests += 1;
    const sent = await balancer.send(path, { headers: headers(), ...init }, PATIENCE_MS);
    if (sent.retries > 0) counts.retried += 1;
    if ([0, 502, 503].includes(sent.status)) {
      counts.refused += 1;
      return null;
    }
    counts.restMs.push(sent.ms);
    return { ...sent, json: sent.text.startsWith('{') ? JSON.parse(sent.text) : null };
  }

  async function askIssues(keys: readonly string[]): Promise<void> {
    const [begun, seen] = [epoch, jira.seenNow(keys)];
    const query = { columnsBy: 'transitionCount', fields: 'status', outputType: 'jsonSimplified' };
    const answer = await ask(
      keys.length === 1
        ? `/rest/issue?${new URLSearchParams({ ...query, issueKey: keys[0] ?? '' })}`
        : `/rest/issues/v2?${new URLSearchParams({ ...query, filterType: 'customjql', customjql: `key in (${keys})` })}`,
    );
    if (answer === null) return;
    const rows = shownIn(answer.json);
    const isWhole = answer.status === 200 && rows.length === keys.length;
    wrong(begun, isWhole ? null : `${keys}: ${answer.status} ${answer.text.slice(0, 200)}`);
    if (begun !== epoch) return;
    for (const row of rows) wrong(begun, jira.problemOf(row, seen));
  }

  async function askTotal(project: string): Promise<void> {
    const begun = epoch;
    const known = totals.get(project);
    const least = known?.shown ?? 0;
    const query = { filterType: 'project', projectKey: project, columnsBy: 'transitionCount' };
    const parameters = new URLSearchParams({ ...query, aggregationType: 'sum' });
    const answer = await ask(`/rest/issues/aggregation?${parameters}`);
    if (answer === null || begun !== epoch) return;
    const columns: { raw: string }[] = answer.json?.table?.body.rows[0]?.valueColumns ?? [];
    const sum = columns.reduce((all, { raw }) => all + Number(raw), 0);
    if (known === undefined) totals.set(project, { base: sum - (baseOf.get(project) ?? 0), shown: sum });
    else {
      const most = known.base + (baseOf.get(project) ?? 0);
      const isRight = answer.status === 200 && sum >= least && sum <= most;
      wrong(
        begun,
        isRight ? null : `${project}: ${answer.status}, ${sum} moves, and not ${least} to ${most}`,
      );
      known.shown = Math.max(known.shown, sum);
    }
  }

  /** A calendar has a name that no other has, so that it can be sent again. */
  async function addCalendar(name: string): Promise<void> {
    const begun = epoch;
    const day = { weekday: 'MONDAY', start: 32_400_000, end: 61_200_000 };
    const answer = await ask('/rest/calendars', {
      ...{ method: 'POST', headers: { ...headers(), 'Content-Type': 'application/json' } },
      body: JSON.stringify({ name, timeZone: 'UTC', workingTimes: [day], holidays: [] }),
    });
    const isThere = answer?.status === 200 || (answer?.isUnclear === true && answer.status < 500);
    written.calendars.set(name, isThere);
    if (answer?.status !== 200) return;
    const read = await ask(`/rest/calendars/${answer.json.id}`);
    if (read !== null)
      wrong(begun, read.json?.name === name ? null : `calendar ${name}: ${read.status} after it was added`);
  }

  /** A delegation that is sent twice is there twice, so that one without an answer stays unclear. */
  async function addDelegation(at: number): Promise<void> {
    const [delegator, delegate] = [cast[at % 19], cast[(at + 1) % 19]];
    const day = new Date(Date.UTC(2031, 0, 1 + 2 * Math.floor(at / 19))).toISOString().slice(0, 10);
    const notes = `trial ${at}`;
    written.delegations.set(notes, false);
    const body = {
      ...{ delegator: delegator?.accountId, delegates: [delegate?.accountId], notes },
      ...{ startDate: `${day}T08:00Z`, endDate: `${day}T18:00Z` },
    };
    const answer = await fetch(`${balancer.next().url}/rest/delegation/api/1.0/delegation`, {
      ...{ method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(PATIENCE_MS) },
      headers: { ...headers(), 'Content-Type': 'application/json' },
    }).catch(() => null);
    tally.requests += 1;
    const text = (await answer?.text().catch(() => '')) ?? '';
    if (answer?.status === 200) written.delegations.set(notes, true);
    else if (answer === null || answer.status === 503) tally.refused += 1;
    else wrong(epoch, `delegation ${notes}: ${answer.status} ${text.slice(0, 200)}`);
  }

  async function type(at: number): Promise<void> {
    const counts = tally;
    const key = jira.openKeys[(at * 6_007) % jira.openKeys.length] ?? '';
    const isExport = at % 40 === 7;
    const isReport = at % 10 === 3;
    const project = PROJECTS[at % PROJECTS.length];
    const line = isExport
      ? `/tis export csv jql key = ${key}`
      : isReport
        ? `/tis project ${project} last 30 days by assignee`
        : `/tis ${key}`;
    if (isExport) ordered.add(key);
    const { user, channel } = slack.placeOf(at);
    const [begun, seen] = [epoch, jira.seenNow([key])];
    const reply = Promise.withResolvers<string>();
    const sentAt = performance.now();
    counts.commands += 1;
    const about = isExport || isReport ? '' : key;
    waiting.set(`${user} ${channel}`, { about, take: reply.resolve });
    const ack = await slack.playground.sendCommand({ user, channel, line });
    if (ack?.outcome !== 'ok') {
      counts.unacknowledged += 1;
      waiting.delete(`${user} ${channel}`);
      return;
    }
    if (isExport) return;
    const text = await Promise.race([reply.promise, pause(PATIENCE_MS, null, { ref: false })]);
    if (text === null) counts.unanswered += 1;
    else if (REFUSAL.test(text)) counts.refused += 1;
    else {
      counts.replyMs.push(performance.now() - sentAt);
      const problem = isReport || jira.isPossible(key, text, seen) ? null : `${line}: ${text.slice(0, 200)}`;
      wrong(begun, problem);
    }
  }

  const keyOf = (at: number) => jira.keys[(at * 6_007) % jira.keys.length] ?? '';

  function request(at: number): Promise<void> {
    if (at % 100 === 41) return addCalendar(`Trial ${at}`);
    if (at % 100 === 91) return addDelegation(Math.floor(at / 100));
    if (at % 25 === 5) return askTotal(PROJECTS[Math.floor(at / 25) % PROJECTS.length] ?? '');
    if (at % 10 === 2) {
      const others = Array.from({ length: LISTED }, (_, i) => keyOf(at + i));
      return askIssues([...new Set([...jira.waitingFor(LISTED), ...others])].slice(0, LISTED));
    }
    return askIssues([keyOf(at)]);
  }

  const begin = (work: Promise<void>) => {
    const ended = work
      .catch((error: unknown) => void tally.wrong.push(`no answer to check: ${error}`))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
  };

  return {
    written,
    ordered,
    /** Reads the number of moves of each project while nothing changes. */
    async readTotals(): Promise<void> {
      for (const project of PROJECTS) await askTotal(project);
    },
    /** Is called with each issue that is moved in Jira. */
    moved(key: string): void {
      const project = key.split('-')[0] ?? '';
      baseOf.set(project, (baseOf.get(project) ?? 0) + 1);
    },
    /** Begins so many requests and commands a second until the signal, whether or not those before have ended. */
    async run(rates: { readonly requests: number; readonly commands: number }, signal: AbortSignal) {
      const started = performance.now();
      const done = { requests: 0, commands: 0 };
      while (!signal.aborted) {
        const seconds = (performance.now() - started) / 1_000;
        for (; done.requests < seconds * rates.requests; done.requests += 1) begin(request(n++));
        for (; done.commands < seconds * rates.commands; done.commands += 1) begin(type(n++));
        await pause(5);
      }
      await Promise.all(underWay);
    },
    /** Returns what was counted since the last call. */
    takeTally(): Tally {
      const taken = tally;
      tally = newTally();
      return taken;
    },
    /** Answers that were asked for before may show what the database has lost. */
    forgetSeen(): void {
      epoch += 1;
      jira.forgetSeen();
      for (const total of totals.values()) total.shown = 0;
    },
  };
}

export type Load = ReturnType<typeof createLoad>;

/** The issues of an answer in the form `jsonSimplified`. */
export function shownIn(json: { results?: readonly Record<string, unknown>[] } | null): readonly Shown[] {
  return (json?.results ?? []).map((row) => {
    const moves = Object.entries(row).filter(([name]) => name.includes(' → '));
    const version = moves.reduce((sum, [, count]) => sum + (Number(count) || 0), 0);
    return { key: String(row.Key), status: String(row.Status), version };
  });
}
