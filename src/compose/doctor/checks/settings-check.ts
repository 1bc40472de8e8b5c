import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Finding, fine, note, problem, warning } from '../../../cli/finding.ts';
import { liveTrackers } from '../../../trackers/index.ts';
import { settingsSchema } from '../../settings-schema.ts';
import type { Check, DoctorContext } from '../doctor-context.ts';

const settings = Object.keys(settingsSchema.shape);

/** Every wrong setting, names that look like one, and where the settings come from. */
export const settingsCheck: Check = {
  name: 'Settings',
  needs: [],
  async run(context) {
    const { present, problems } = context.settings;
    const { folder, failure } = context.dotEnv;
    const inFile = failure === null ? readDotEnv(folder) : null;
    const wrong = problems.map((sentence) => problem(sentence));
    const unreadable =
      failure === null
        ? []
        : [
            problem(
              `${join(folder, '.env')} cannot be read (${failure}).`,
              'Make it a file that you can read.',
            ),
          ];
    const counted = present.length === 0 ? 'none are set' : `${present.length} set, none wrong`;
    const from =
      inFile === null
        ? `there is no .env in ${folder}`
        : `read from ${join(folder, '.env')} and the environment`;
    return [
      ...unreadable,
      ...wrong,
      ...(wrong.length + unreadable.length === 0 ? [fine(`${counted}; ${from}`)] : []),
      ...misspelled(context),
      ...overridden(inFile ?? {}, context),
    ];
  },
};

/** Null where there is none. */
function readDotEnv(folder: string): Readonly<Record<string, string | undefined>> | null {
  try {
    return parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
  } catch {
    // One that is there and cannot be read is known by now.
    return null;
  }
}

/** The values in `.env` that have no effect. */
function overridden(
  inFile: Readonly<Record<string, string | undefined>>,
  { environment }: DoctorContext,
): readonly Finding[] {
  const names = settings.filter((name) => inFile[name] !== undefined && inFile[name] !== environment[name]);
  if (names.length === 0) return [];
  const have = names.length === 1 ? 'has' : 'have';
  return [note(`${names.join(', ')} ${have} another value in .env than in the environment, which wins.`)];
}

/** Beginnings of our settings that hardly any other program uses. */
const prefixes = [...liveTrackers.map(({ name }) => name.toUpperCase()), 'SLACK', 'TIS', 'DELEGATION', 'S3'];

/** A shorter name is like too many others. */
const MIN_LENGTH = 6;

/** Names in the environment that are likely meant as a setting. */
function misspelled({ environment, settings: { present } }: DoctorContext): readonly Finding[] {
  return Object.keys(environment).flatMap((name) => {
    if (settings.includes(name) || !environment[name]?.trim()) return [];
    const meant = settings.filter((one) => isLike(name, one) && !present.includes(one));
    if (meant.length > 0)
      return [warning(`${name} is not a setting.`, `Did you mean ${meant.join(' or ')}?`)];
    return prefixes.some((prefix) => name.startsWith(`${prefix}_`))
      ? [note(`${name} is not a setting of Dwell; docs/settings.md lists all of them.`)]
      : [];
  });
}

/** Returns true where a name is a setting with a letter more, less or other, or lacks a word of it: JIRA_TOKEN, JIRA_API_TOKEN. */
function isLike(name: string, setting: string): boolean {
  if (name.length < MIN_LENGTH) return false;
  const [words, own] = [name.split('_'), setting.split('_')];
  const lacksWords = words.length > 1 && words[0] === own[0] && words.every((word) => own.includes(word));
  return lacksWords || isOneEditAway(name, setting);
}

function isOneEditAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const found = [...one].findIndex((letter, i) => letter !== other[i]);
  const at = found === -1 ? one.length : found;
  const [own, others] = [one.slice(at), other.slice(at)];
  return own.slice(1) === others.slice(1) || own === others.slice(1) || own.slice(1) === others;
}
