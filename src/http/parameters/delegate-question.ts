import type { DelegateQuestion } from '../../api/delegations/delegation-api.ts';
import type { Principal } from '../../model/request.ts';
import { text } from '../../parameters/parameter.ts';
import { instantOf } from '../../time/wall-clock.ts';
import { serverDatetime } from './server-datetime.ts';

/** What every look-up takes besides whom it is about. */
export const lookUpParameters = {
  category: text.meta({
    description:
      'general, or the name of a category, in any case. A named one is covered by general as well.',
  }),
  datetime: serverDatetime.optional().meta({
    description:
      'The time to look at, yyyy-MM-dd HH:mm:ss in the time zone of the server; now if left out. A time that daylight saving skips is moved forward; of one that occurs twice, the first counts.',
  }),
};

/** The question behind checked parameters; its time is read in the zone of the server. */
export function readDelegateQuestion(
  person: string,
  asked: { readonly category: string; readonly datetime?: number | undefined },
  principal: Principal,
  timeZone: string,
): DelegateQuestion {
  const { category, datetime } = asked;
  return { principal, person, category, asOf: datetime === undefined ? null : instantOf(datetime, timeZone) };
}
