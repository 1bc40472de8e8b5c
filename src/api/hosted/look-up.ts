import { wallOf } from '../../calendar/zone.ts';
import { delegatesAt, delegatorsAt } from '../../delegation/stand-ins.ts';
import { dateText, isoText } from '../../formats/date-text.ts';
import type { Category, Delegation, StandIns } from '../../model/delegation.ts';
import type { Instant } from '../../model/issue.ts';
import { findCategory } from '../local/register/find-category.ts';
import type { Access } from './access.ts';
import { delegatesAnswer, delegatorsAnswer, type LookUpAnswer } from './answers.ts';
import type { KeychainClient } from './create-keychain-client.ts';
import { unavailable } from './why-refused.ts';

const PATTERN = 'yyyy-MM-dd HH:mm:ss';

/** The two look-ups, as the service calls them. */
export type Operation = 'getDelegates' | 'getDelegators';

/** Where the service's own lists are read, for the few instants it cannot be asked about. */
export interface Records {
  categories(): Promise<readonly Category[]>;
  delegations(): Promise<readonly Delegation[]>;
}

type Told = Omit<StandIns, 'asOf'>;

/** Who stands in, or for whom; `at` null means now. */
export type LookUp = (
  operation: Operation,
  person: string,
  category: string,
  at: Instant | null,
) => Promise<StandIns>;

/**
 * Asks the look-ups. An instant is told as the wall clock of the tracker's server, which is taken to be `timeZone`'s;
 * the answer says with its offset which instant was understood.
 */
export function createLookUp(
  client: KeychainClient,
  records: Records,
  { access, timeZone }: { readonly access: Access; readonly timeZone: string },
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
    throw unavailable(
      `was asked about ${isoText(second)} and tells of ${isoText(understood)}; is TIME_ZONE (${timeZone}) the zone of its server?`,
      access,
    );

    function ask(datetime: string | null): Promise<LookUpAnswer> {
      const time = datetime === null ? {} : { datetime };
      const subject = operation === 'getDelegates' ? { delegator: person } : { delegate: person };
      const question = {
        method: 'GET',
        path: `/delegation/${operation}`,
        query: { ...subject, category, ...time },
        unknownPath: 'has no delegation interface (HTTP 404); is DELEGATION_BASE_URL right?',
      } as const;
      return operation === 'getDelegates'
        ? client.ask(question, delegatesAnswer)
        : client.ask(question, delegatorsAnswer);
    }
  };

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

function told({ person, category, others }: Told, asOf: Instant): StandIns {
  return { person, category, asOf, others: [...new Set(others)] };
}
