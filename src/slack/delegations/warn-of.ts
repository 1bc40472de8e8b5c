import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { Delegation } from '../../model/delegation.ts';
import type { Principal } from '../../model/principal.ts';
import { setWarnings } from '../messages/set-warnings.ts';
import type { Words } from '../messages/words.ts';
import type { SlackParts } from '../parts.ts';

/** Whoever hands work over for longer is warned of the first part. */
const MOST_MS = 400 * millisecondsInDay;

/** Warnings about what was just set, from now on. Never fails, for what was set stays set. */
export async function warnOf(
  delegation: Delegation,
  { principal, words }: { readonly principal: Principal; readonly words: Words },
  { delegations, now, log }: Pick<SlackParts, 'delegations' | 'now' | 'log'>,
): Promise<readonly string[]> {
  const minute = Math.floor(now() / millisecondsInMinute) * millisecondsInMinute;
  const from = Math.max(delegation.start, minute);
  const until = Math.min(delegation.end, from + MOST_MS);
  try {
    return setWarnings(delegation, await delegations.coverage(principal, { from, until }), words);
  } catch (error) {
    log.warn({ err: error }, 'what was set could not be looked at for warnings');
    return ['Whether somebody is away too could not be looked up; `/delegates week` tells it.'];
  }
}
