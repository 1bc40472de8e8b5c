import { type Finding, note } from '../../cli/finding.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { defaultTenant } from '../../model/request.ts';
import type { ExaminedStore } from '../../store/examined-store.ts';
import { examineStore } from '../../store/open-store.ts';
import type { TenantStore } from '../../store/store.ts';
import type { OpenedTracker } from '../../trackers/tracker-kind.ts';
import type { Config } from '../config.ts';
import { httpSurroundings } from '../http-surroundings.ts';
import { askSlack, type SlackAnswer } from './ask-slack.ts';
import { type ExaminedSettings, examineSettings } from './examine-settings.ts';

/** The process that examines, and its surroundings. */
export interface DoctorSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => Instant;
  /** The version of the Node that runs, and its file. */
  readonly node: { readonly version: string; readonly file: string };
  /** The folder of `.env`, and the system's code of its failure where it is there and cannot be read. */
  readonly dotEnv: { readonly folder: string; readonly failure: string | null };
  /** Slack's Web API, with a slash at the end. */
  readonly slackApiUrl: string;
  /** The time (ms) of a check; a person does not wait longer for all of them. */
  readonly maxCheckMs: number;
  /** Resolves after a number of ms, as clients of services wait before another try. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The parts that checks look at; those that several of them need are read once. */
export interface DoctorContext extends DoctorSurroundings {
  readonly config: Config;
  readonly settings: ExaminedSettings;
  /** Ends the examination: no request goes on after it. */
  readonly signal: AbortSignal;
  /** The store as it is; null where there is none yet. */
  store(): Promise<ExaminedStore | null>;
  /** The data of the tenant; where there is none that can be read as it is, the finding of those who need it. */
  data(): Promise<TenantStore | Finding>;
  /** The connected tracker; null where none is configured. */
  tracker(): Promise<OpenedTracker | null>;
  /** The answer to the bot token; null where Slack is not configured. */
  slack(): Promise<SlackAnswer | null>;
  close(): Promise<void>;
}

const RENEWAL =
  'not checked: the authorization has to be renewed, which Dwell does while it runs. Start it, or run `npx dwell sync`.';

/** Opens what checks look at, each part when it is first needed. */
export function openContext(parts: DoctorSurroundings): DoctorContext {
  const { environment, now } = parts;
  const settings = examineSettings(environment);
  const { config } = settings;
  const ending = new AbortController();
  const { signal } = ending;
  const surroundings = { ...httpSurroundings(now), ...(parts.wait && { wait: parts.wait }) };
  // The longest pauses before another try would have the check given up before it knows why.
  const impatient = { ...surroundings, random: () => 1 };
  const store = once(() => examineStore(config));
  const stored = async () => (await store())?.data?.forTenant(defaultTenant) ?? null;
  const tracker = once(
    async () =>
      (await config.live?.open({
        ...impatient,
        secrets: {
          get: async (name) => (await stored())?.secrets.get(name) ?? null,
          async change() {
            // A renewal is worth something only where it is stored.
            throw new AppError('tracker-unavailable', RENEWAL, [], { data: { kind: 'renewal' } });
          },
        },
      })) ?? null,
  );
  return {
    ...parts,
    config,
    settings,
    signal,
    store,
    async data() {
      try {
        return (await stored()) ?? note((await store()) === null ? 'no data yet' : 'not checked: see Store');
      } catch {
        return note('not checked: see Store');
      }
    },
    tracker,
    slack: once(async () => {
      const { slack } = config;
      if (slack.mode !== 'socket' && slack.mode !== 'http') return null;
      return askSlack('auth.test', { apiUrl: parts.slackApiUrl, token: slack.botToken, now, signal });
    }),
    async close() {
      ending.abort();
      await tracker().then(
        (one) => one?.connection.close(),
        () => {},
      );
      await store().then(
        (one) => one?.close(),
        () => {},
      );
    },
  };
}

/** Calls a function when it is first needed; all calls have its outcome. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
