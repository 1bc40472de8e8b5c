import { delegatesAt, delegatorsAt } from '../../delegation/delegates-at.ts';
import type { DelegateLookup } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { isoText } from '../../time/iso-dates.ts';
import { dateText } from '../../time/java-dates.ts';
import { wallOf } from '../../time/wall-clock.ts';
import { findCategory } from '../delegations/local-delegation-records.ts';
import {
  answersOtherThanAsked,
  isSameName,
  type KeychainClient,
  quotedName,
} from './create-keychain-client.ts';
import type { Records } from './create-records.ts';
import { type HostedService, serviceUnavailable } from './hosted-service.ts';
import { delegatesAnswer, delegatorsAnswer, type LookUpAnswer } from './keychain-answers.ts';

const PATTERN = 'yyyy-MM-dd HH:mm:ss';

/** The two look-ups, as the service calls them. */
type Operation = 'getDelegates' | 'getDelegators';

type Told = Omit<DelegateLookup, 'asOf'>;

/** Who stands in, or for whom; `at` null means now. */
type LookUp = (
  operation: Operation,
  person: string,
  category: string,
  at: Instant | null,
) => Promise<DelegateLookup>;

/**
 * Asks the look-ups. An instant is told as the wall clock of the tracker's server, which is taken to be `timeZone`'s;
 * the answer says with its offset which instant was understood. `records` is where the few instants are looked up that
 * cannot be told so.
 */
export function createLookUp(
  client: KeychainClient,
  records: Records,
  { service, timeZone }: { readonly service: HostedService; readonly timeZone: string },
): LookUp {
  return async (operation, person, category, at) => {
    if (at === null) {
      const answer = await ask(null);
      return told(answer, answer.asOf.instant);
    }
    const second = at - (((at % 1000) + 1000) % 1000);
    const answer = await ask(dateText(second, PATTERN, timeZone));
    const understood = answer.asOf.instant;
    if (understood === second) return told(answer, at);
    // The zone is right, but the clock shows this time twice: the other instant cannot be asked about.
    if (wallOf(understood, timeZone) === wallOf(second, timeZone)) {
      return told({ ...answer, others: await othersOfRecords(operation, answer, at) }, at);
    }
    const again = await ask(dateText(second + answer.asOf.offset, PATTERN, 'UTC'));
    if (again.asOf.instant === second) return told(again, at);
    throw serviceUnavailable(
      `was asked about ${isoText(second)} and tells of ${isoText(understood)}; is TIME_ZONE (${timeZone}) the zone of its server?`,
      service,
    );

    async function ask(datetime: string | null): Promise<LookUpAnswer> {
      const time = datetime === null ? {} : { datetime };
      const subject = operation === 'getDelegates' ? { delegator: person } : { delegate: person };
      const question = {
        method: 'GET',
        path: `/delegation/${operation}`,
        query: { ...subject, category, ...time },
        unknownPath: {
          what: 'has no delegation interface (HTTP 404); is DELEGATION_BASE_URL right?',
          reason: 'service-unavailable',
        },
      } as const;
      const answer =
        operation === 'getDelegates'
          ? await client.ask(question, delegatesAnswer)
          : await client.ask(question, delegatorsAnswer);
      if (isSameName(person, answer.person) && isSameName(category, answer.category)) return answer;
      const asked = subjectOf({ person, category });
      throw answersOtherThanAsked(asked, subjectOf(answer), { service, maybeDone: false });
    }
  };

  function subjectOf(asked: Pick<Told, 'person' | 'category'>): string {
    return `${quotedName(asked.person, service)} in ${quotedName(asked.category, service)}`;
  }

  async function othersOfRecords(
    operation: Operation,
    { person, category }: LookUpAnswer,
    at: Instant,
  ): Promise<readonly string[]> {
    const [categories, delegations] = await Promise.all([records.categories(), records.delegations()]);
    const { id: categoryId } = findCategory(categories, category);
    return operation === 'getDelegates'
      ? delegatesAt(delegations, person, categoryId, at)
      : delegatorsAt(delegations, person, categoryId, at);
  }
}

function told({ person, category, others }: Told, asOf: Instant): DelegateLookup {
  return { person, category, asOf, others: [...new Set(others)] };
}
