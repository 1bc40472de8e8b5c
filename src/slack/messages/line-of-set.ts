import type { ParameterSet } from '../../model/parameter-set.ts';
import { setsCalled } from '../questions/sets-called.ts';
import { savedLine, whyBadSetName } from './saved-line.ts';

/** The line (mrkdwn) with which somebody asks for a set among all they may use: by its name where that is enough, else by its id. */
export function lineOfSet(set: ParameterSet, sets: readonly ParameterSet[], user: string): string {
  const [first, ...others] = setsCalled(set.name, sets, user);
  const isEnough = others.length === 0 && first?.id === set.id && whyBadSetName(set.name) === null;
  return savedLine(isEnough ? set.name : set.id);
}
