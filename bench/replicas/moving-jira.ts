import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { jiraAccount, type StandInJira, startStandInJira } from '../../test/support/stand-in-jira.ts';
import { cast, statuses } from '../../test/support/stand-in-jira-cast.ts';
import { createJiraWorld } from '../../test/support/stand-in-jira-world.ts';

/** A change that Jira has made and Dwell has not shown yet. */
interface Change {
  readonly version: number;
  readonly at: number;
}

/** An issue as a report has it. */
export interface Shown {
  readonly key: string;
  readonly status: string;
  /** How often its status had changed. */
  readonly version: number;
}

/** A stand-in for Jira whose issues change, and what answers about them can be. */
export interface MovingJira {
  readonly keys: readonly string[];
  /** Those that everyone can browse. */
  readonly openKeys: readonly string[];
  readonly people: readonly { readonly name: string; readonly email: string }[];
  readonly environment: Readonly<Record<string, string>>;
  /** Moves issues at a rate (a second) until the signal, and sends the webhook of each to an address. */
  move(
    rate: number,
    signal: AbortSignal,
    parts: { readonly addressOf: () => string; readonly onMove: (key: string) => void },
  ): Promise<void>;
  /** Returns why an answer that was requested when `seen` was current is wrong; null where it can be right. */
  problemOf(shown: Shown, seen: Seen): string | null;
  /** Returns true where a text can be about an issue as it was since `seen`. */
  isPossible(key: string, text: string, seen: Seen): boolean;
  /** Returns what answers have shown of issues so far. */
  seenNow(keys: readonly string[]): Seen;
  /** Forgets what was shown, which a database that is behind loses. */
  forgetSeen(): void;
  /** How long (ms) changes took until an answer showed them, sorted; and begins again. */
  takeDelays(): readonly number[];
  /** Returns keys of issues whose last change no answer has shown yet, the oldest first. */
  waitingFor(count: number): readonly string[];
  versionOf(key: string): number;
  close(): Promise<void>;
}

export type Seen = ReadonlyMap<string, number>;

export async function startMovingJira(issues: number, seed: number): Promise<MovingJira> {
  const world = createJiraWorld({ issues, seed, longest: 60, clock: Date.now });
  const jira: StandInJira = await startStandInJira(world, { validate: false });
  const secret = randomBytes(12).toString('hex');
  const nameOf = new Map(statuses.map(({ id, name }) => [id, name]));
  /** The names of the statuses that each moved issue has been in, by version; of others the last one. */
  const histories = new Map<string, Map<number, string>>();
  const shown = new Map<string, number>();
  const waiting = new Map<string, Change[]>();
  let delays: number[] = [];

  const issueOf = (key: string) => world.issue(world.numberOf(key) ?? 0);
  const versionOf = (key: string) =>
    issueOf(key)
      .entries.flatMap(({ items }) => items)
      .filter(({ fieldId }) => fieldId === 'status').length;
  function historyOf(key: string): Map<number, string> {
    const known = histories.get(key);
    if (known !== undefined) return known;
    const made = new Map([[versionOf(key), nameOf.get(issueOf(key).status) ?? '']]);
    histories.set(key, made);
    return made;
  }

  const keys = [...world.keys()];
  return {
    keys,
    openKeys: keys.filter((key) => {
      const { project, level } = issueOf(key);
      return project.browsers === null && level === null;
    }),
    people: cast
      .filter(({ app }) => !app)
      .map(({ name, displayName }) => ({ name: displayName, email: `${name}@tallow.example` })),
    environment: {
      ...{ TRACKER: 'jira', JIRA_BASE_URL: jira.baseUrl, JIRA_EMAIL: jiraAccount.email },
      ...{ JIRA_API_TOKEN: jiraAccount.token, JIRA_REQUESTS_PER_MINUTE: '3000', JIRA_RIGHTS: 'rules' },
      ...{ JIRA_WEBHOOK_SECRET: secret, SYNC_SECONDS: '10' },
    },
    async move(rate, signal, { addressOf, onMove }) {
      for (let n = 0; !signal.aborted; n += 1) {
        const key = keys[(n * 7_919) % keys.length] ?? '';
        const history = historyOf(key);
        world.transition(key);
        onMove(key);
        const version = versionOf(key);
        const { id, status } = issueOf(key);
        history.set(version, nameOf.get(status) ?? '');
        waiting.set(key, [...(waiting.get(key) ?? []), { version, at: performance.now() }]);
        const body = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: { id, key } });
        const hash = createHmac('sha256', secret).update(body).digest('hex');
        // One that is lost is made up for by the next sync.
        void fetch(`${addressOf()}/rest/webhooks/jira`, {
          ...{ method: 'POST', body, signal: AbortSignal.timeout(5_000) },
          headers: { 'Content-Type': 'application/json', 'X-Hub-Signature': `sha256=${hash}` },
        }).catch(() => {});
        await pause(1_000 / rate, undefined, { signal }).catch(() => {});
      }
    },
    problemOf({ key, status, version }, seen) {
      const least = seen.get(key) ?? 0;
      if (version < least) return `${key} was shown with ${least} moves, and then with ${version}`;
      const right = historyOf(key).get(version);
      // A status that several projects have has the name of its own beside it.
      if (right === undefined || (status !== right && !status.startsWith(`${right} (`)))
        return `${key} after ${version} moves is in ${right}, and was shown in ${status}`;
      shown.set(key, Math.max(version, shown.get(key) ?? 0));
      const now = performance.now();
      const left = (waiting.get(key) ?? []).filter((change) => {
        if (change.version <= version) delays.push(now - change.at);
        return change.version > version;
      });
      if (left.length > 0) waiting.set(key, left);
      else waiting.delete(key);
      return null;
    },
    isPossible(key, text, seen) {
      const least = seen.get(key) ?? 0;
      return [...historyOf(key)].some(([version, status]) => version >= least && text.includes(status));
    },
    seenNow: (some) => new Map(some.map((key) => [key, shown.get(key) ?? 0])),
    forgetSeen: () => shown.clear(),
    takeDelays() {
      const taken = delays.sort((a, b) => a - b);
      delays = [];
      return taken;
    },
    waitingFor: (count) => [...waiting.keys()].slice(0, count),
    versionOf,
    close: () => jira.close(),
  };
}
