import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import type { Birth } from './birth.ts';
import type { Random } from './random.ts';
import { type Setting, setValue, setValues } from './settings.ts';
import type { Step } from './workflow.ts';
import type { World } from './world.ts';

const resolutionIds = new Map([
  ['Done', '10000'],
  ["Won't Do", '10001'],
  ['Duplicate', '10002'],
  ['Cannot Reproduce', '10003'],
]);

/** What else is set when an issue goes from one step to another: its resolution, the version that ships it. */
export function outcome(
  from: Step,
  to: Step,
  birth: Birth,
  at: Instant,
  world: World,
  random: Random,
): Setting[] {
  const wasDone = from.status.category === 'Done';
  const isDone = to.status.category === 'Done';
  if (wasDone === isDone) return [];
  if (wasDone) return [setValue('resolution', null)];

  const name = resolutionOf(to, birth, random);
  const settings = [setValue('resolution', { id: resolutionIds.get(name) ?? name, name })];
  if (name === 'Done' && birth.project !== 'OPS' && random.chance(0.6)) {
    settings.push(setValues('fixVersions', [versionOf(birth, at, world)]));
  }
  return settings;
}

function resolutionOf(step: Step, birth: Birth, random: Random): string {
  const name = random.weigh(step.resolutions ?? [['Done', 1]]);
  const reproducible = birth.type === 'Bug' || birth.type === 'Incident';
  return name === 'Cannot Reproduce' && !reproducible ? "Won't Do" : name;
}

/** The shop is released fortnightly, the app weekly. */
function versionOf(birth: Birth, at: Instant, world: World): { id: string; name: string } {
  const week = Math.floor((at - world.from) / (7 * millisecondsInDay));
  if (birth.project === 'WEB') return { id: String(20_000 + (week >> 1)), name: `Web 3.${week >> 1}` };
  return { id: String(30_000 + week), name: `App 5.${week}` };
}
