import { millisecondsInDay } from 'date-fns/constants';
import type { Message } from '../../block-kit/message.ts';
import type { Coverage } from '../../model/delegation.ts';
import { dayAt, firstInstantFrom } from '../../time/wall-clock.ts';
import { askAdmin } from '../delegations/rights-words.ts';
import { stillToCome } from '../delegations/still-to-come.ts';
import { namesOf } from '../messages/names.ts';
import { notice } from '../messages/notice.ts';
import type { SlackParts } from '../parts.ts';
import type { Member } from '../people/member.ts';
import type { Cover } from './home-content.ts';

const DAYS = 14;

/** Whom somebody covers and who covers them from now until two weeks after today, on their clocks. */
export async function findCover(
  member: Member,
  parts: Pick<SlackParts, 'delegations' | 'now' | 'people'>,
): Promise<Cover | Message> {
  const { delegations, people, now } = parts;
  const { principal, user, timeZone } = member;
  if ((await delegations.rightOf(principal)) === 'none') {
    return notice('You do not have permission to view delegations.', askAdmin(member, '--view'));
  }
  const at = now();
  const until = firstInstantFrom(dayAt(at, timeZone) + DAYS * millisecondsInDay, timeZone);
  const coverage = await delegations.coverage(principal, { from: at, until });
  const names = namesOf(await people.users(), await delegations.categories(principal));
  return { person: user.id, coverage: ownCoverage(stillToCome(coverage, at), user.id), names };
}

/** Who may view all gets everybody's; here only their own counts. */
function ownCoverage(coverage: Coverage, user: string): Coverage {
  const concerns = (one: Coverage['delegations'][number]) =>
    one.delegator === user || one.delegates.includes(user);
  return {
    ...coverage,
    delegations: coverage.delegations.filter(concerns),
    uncovered: coverage.uncovered.filter(({ person }) => person === user),
    awayToo: coverage.awayToo.filter(({ person, delegate }) => person === user || delegate === user),
    ending: coverage.ending.filter(concerns),
  };
}
