import { AppError, failureText } from '../../model/error.ts';
import { liveTrackers } from '../../trackers/index.ts';
import { type Config, readConfig, wrongValues } from '../config.ts';
import { settingsSchema } from '../settings-schema.ts';

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

/** The name of settings that are read together. */
export type SettingGroup = keyof typeof groups;

/** Settings as far as they can be used. */
export interface ExaminedSettings {
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
export function examineSettings(environment: Readonly<Record<string, string | undefined>>): ExaminedSettings {
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
