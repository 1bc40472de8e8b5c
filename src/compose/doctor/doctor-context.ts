import { type Finding, note } from '../../cli/finding.ts';
import { AppError, failureText } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { defaultTenant } from '../../model/request.ts';
import type { ExaminedStore } from '../../store/examined-store.ts';
import { examineStore } from '../../store/open-store.ts';
import type { TenantStore } from '../../store/store.ts';
import { liveTrackers } from '../../trackers/index.ts';
import type { OpenedTracker } from '../../trackers/tracker-kind.ts';
import { type Config, readConfig, wrongValues } from '../config.ts';
import { httpSurroundings } from '../http-surroundings.ts';
import { settingsSchema } from '../settings-schema.ts';
import { askSlack, type SlackAnswer } from './ask-slack.ts';

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

/** One check of an installation. It changes nothing, and knows of no other check. */
export interface Check {
  /** Its name in lines, in JSON and in docs/operations.md, of 12 characters at most. */
  readonly name: string;
  /** The settings without which it cannot be done: while one of them is wrong, it is left out. */
  readonly needs: readonly SettingGroup[];
  /** True where it may take minutes, and so is done on request only, after the others. */
  readonly isSlow?: true;
  /** Returns its findings; an `AppError` that it throws is a problem, in its sentences. */
  run(context: DoctorContext): Promise<readonly Finding[]>;
}

const ofTrackers = ['TRACKER', 'TIS_.+', ...liveTrackers.map(({ name }) => `${name.toUpperCase()}_.+`)];

/** Settings that are read together: one that is wrong makes the others worthless. */
const groups = {
  store: /^(DATABASE_URL|SECRET_KEY|SECRET_KEY_OLD)$/,
  blobs: /^(BLOBS|S3_.+)$/,
  services: /^TIS_/,
  tracker: new RegExp(`^(${ofTrackers.join('|')})$`),
  slack: /^SLACK_/,
  delegation: /^DELEGATION_/,
  redis: /^KEYV_URL$/,
  server: /^(PORT|HOST|METRICS_.+)$/,
  address: /^BASE_URL$/,
  zone: /^TIME_ZONE$/,
};

type SettingGroup = keyof typeof groups;

/** Settings as far as they can be used. */
interface ExaminedSettings {
  /** Made of the settings that are right; the others count as absent. */
  readonly config: Config;
  /** The names of those that have a value. */
  readonly present: readonly string[];
  /** Whole sentences, one for each problem. */
  readonly problems: readonly string[];
  /** The groups with a problem. */
  readonly wrong: ReadonlySet<SettingGroup>;
}

/** Reads settings of which some may be wrong. */
function examineSettings(environment: Readonly<Record<string, string | undefined>>): ExaminedSettings {
  const present = Object.keys(settingsSchema.shape).filter((name) => environment[name]?.trim());
  const sentences = wrongValues(environment);
  const usable = new Map(
    present.filter((name) => !sentences.has(name)).map((name) => [name, environment[name]]),
  );
  const problems = present.flatMap((name) => sentences.get(name) ?? []);
  const wrong = new Set<SettingGroup>();
  for (const [group, pattern] of Object.entries(groups) as [SettingGroup, RegExp][]) {
    const own = present.filter((name) => pattern.test(name) && (usable.has(name) || sentences.has(name)));
    const hasWrongValue = own.some((name) => sentences.has(name));
    const sentence = hasWrongValue ? null : problemOf(own, environment);
    if (sentence !== null) problems.push(sentence);
    if (sentence === null && !hasWrongValue) continue;
    wrong.add(group);
    for (const name of own) usable.delete(name);
  }
  return { config: readConfig(Object.fromEntries(usable)), present, problems, wrong };
}

/** The sentence about settings that are wrong together; null where they are right. */
function problemOf(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  try {
    readConfig(Object.fromEntries(names.map((name) => [name, environment[name]])));
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failureText(error);
  }
}
