import type { AgingIssue } from '../../model/answer.ts';
import { AppError } from '../../model/error.ts';
import type { Watch } from '../../model/watch.ts';
import type { WatchPostman, WhyTold } from '../watches.ts';
import type { WatchesParts } from './watches-parts.ts';
import type { Presence } from './who-is-there.ts';

/** Whose account is told, and why. */
export interface Hearer {
  readonly account: string;
  readonly why: WhyTold;
}

/** What finding them takes; `presenceOf` tells who is there for a user. */
export interface HearingParts extends Pick<WatchesParts, 'answers'> {
  readonly postman: Pick<WatchPostman, 'askerOf' | 'accountOf'>;
  presenceOf(user: string): Promise<Presence>;
  /** Whether Slack refused a while ago to tell an account. */
  isRefused(account: string): boolean;
}

/**
 * Who is told that an issue sits too long: the person in charge or, while they are away, who stands in for them, if they
 * are known and may see the issue; else the owner of the watch.
 */
export async function whoHears(
  { owner, tells, timeZone, muted = [] }: Watch,
  { key, assignee }: AgingIssue,
  { answers, postman, presenceOf, isRefused }: HearingParts,
): Promise<Hearer> {
  const toOwner = (why: WhyTold): Hearer => ({ account: owner, why });
  if (tells === 'owner') return toOwner({ kind: 'asked' });
  if (assignee === null) return toOwner({ kind: 'nobodyInCharge' });
  const { id, name } = assignee;
  if (id === null) return toOwner({ kind: 'notReached', person: { id: '', name }, because: 'noAccount' });
  const person = { id, name };
  const notReached = (because: 'noAccount' | 'hidden' | 'uncovered' | 'refused' | 'muted') =>
    toOwner({ kind: 'notReached', person, because });
  const presence = await presenceOf(id);
  if (presence.kind === 'uncovered') return notReached('uncovered');
  const user = presence.kind === 'covered' ? presence.by : id;
  const account = await postman.accountOf(user);
  if (account === null) return notReached('noAccount');
  const asker = await postman.askerOf(account);
  if (asker?.user !== user) return notReached('noAccount');
  const question = { kind: 'issue', key, calendar: 'normalHours', timeZone } as const;
  const maySee = await isAnswered(answers.answer(asker, question, null));
  if (!maySee) return notReached('hidden');
  if (account !== owner && muted.includes(account)) return notReached('muted');
  if (account !== owner && isRefused(account)) return notReached('refused');
  if (presence.kind === 'there') return { account, why: { kind: 'inCharge' } };
  return { account, why: { kind: 'standsIn', person, until: presence.until } };
}

/** What an asker may not see is answered as what there is not. */
function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  return answer.then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && !['unavailable', 'too-many'].includes(error.code)) return false;
      throw error;
    },
  );
}
