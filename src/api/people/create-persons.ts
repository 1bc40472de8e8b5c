import type { Pseudonym } from '../../model/erasure.ts';
import { AppError, badRequest } from '../../model/error.ts';
import type { Instant, User } from '../../model/issue.ts';
import type { PersonTraces, StoredPerson } from '../../store/person-store.ts';
import type { Store, TenantStore } from '../../store/store.ts';
import { usersLike, usersNamed, usersWithEmail } from './create-people.ts';

/** A person who can be exported or erased: the account, null where only the pseudonym is known, and its pseudonym. */
interface FoundPerson {
  readonly account: string | null;
  /** The account, its login, and the accounts of the chat that are linked to it. */
  readonly accounts: readonly string[];
  /** Full name and address. */
  readonly texts: readonly string[];
  readonly pseudonym: Pseudonym;
  readonly isErased: boolean;
}

/** The port of what is stored about single persons. */
export interface PersonsApi {
  /** The person of an id, a login, an address, a full name or a pseudonym; fails where that is no one, or several. */
  find(typed: string): Promise<FoundPerson>;
  /** Finds what is stored about a person; `onPlace` is called with each place that is searched. */
  search(person: FoundPerson, onPlace: (place: string) => void): Promise<readonly PersonTraces[]>;
  /** Replaces a person by the pseudonym everywhere, for good; to be repeated where it is interrupted. */
  erase(person: FoundPerson, onPlace: (place: string) => void): Promise<void>;
  /** Writes all that is stored about a person as one JSON text, in pieces; returns the number of records. */
  export(person: FoundPerson, write: (text: string) => Promise<void>): Promise<number>;
}

/** The parts of the port of persons. */
interface PersonsParts {
  readonly store: Pick<TenantStore, 'persons' | 'audit'>;
  readonly removeTraces: Store['removeTraces'];
  readonly now: () => Instant;
}

/** The port of persons, over everything that is stored. */
export function createPersons({ store, removeTraces, now }: PersonsParts): PersonsApi {
  const { persons, audit } = store;

  /** The person in the store; names are those that were found before anything was replaced. */
  async function stored({ account, accounts, texts, pseudonym }: FoundPerson): Promise<StoredPerson> {
    return { ...(await persons.find(account ?? pseudonym.id)), accounts, texts };
  }

  return {
    async find(typed) {
      const users = new Map((await persons.users()).map((user) => [user.id, user]));
      const exact = await persons.find(typed);
      const found = exact.isKnown ? exact : await persons.find(idCalled(typed, users));
      if (!found.isKnown && !(await persons.search(found)).some(isOfAccount))
        throw unknownPerson(typed, users);
      const { account, accounts, texts, isErased, erasure } = found;
      return { account, accounts, texts, isErased, pseudonym: erasure.pseudonym };
    },
    search: async (person, onPlace) => persons.search(await stored(person), { onPlace }),
    async erase(person, onPlace) {
      await persons.erase(await stored(person), { onPlace });
      await removeTraces('The person is erased');
    },
    async export(person, write) {
      const { account, accounts, texts, isErased, pseudonym } = person;
      const subject = { kind: 'person', id: account ?? pseudonym.id } as const;
      await audit.add([{ subject, verb: 'exported', facts: {} }]);
      const head = {
        exportedAt: new Date(now()).toISOString(),
        account,
        accounts,
        names: texts,
        erasedAs: isErased ? pseudonym.id : null,
      };
      await write(`${JSON.stringify(head).slice(0, -1)},"records":[`);
      let count = 0;
      await persons.search(await stored(person), {
        async onRecord({ kind, tracker, id, content }) {
          const separator = count === 0 ? '\n' : ',\n';
          count += 1;
          await write(separator + JSON.stringify({ kind, tracker, id, content }));
        },
      });
      await write('\n]}\n');
      return count;
    },
  };
}

/** Returns true for records that only an account has: in issues and questions an id may be that of a status or the like. */
function isOfAccount({ place, records }: PersonTraces): boolean {
  return records > 0 && !/^(?:terms|issues|facts|cache)\b/.test(place);
}

/** The id of the only user with a name, a login or an address; the text itself where there is none. */
function idCalled(typed: string, users: ReadonlyMap<string, User>): string {
  const named = usersNamed(typed, users);
  const found = named.length > 0 ? named : usersWithEmail(typed, users);
  if (found.length < 2) return found[0]?.id ?? typed;
  const ids = found.map(({ id }) => id).join(', ');
  throw badRequest(`ACCOUNT '${typed}' is not clear. Try: one of the ids ${ids}.`);
}

function unknownPerson(typed: string, users: ReadonlyMap<string, User>): AppError {
  const like = usersLike(typed, users).map(({ id }) => id);
  const hint = like.length === 0 ? 'an id, email address or full name' : like.join(', ');
  return new AppError('unknown-person', `Nothing is stored about '${typed}'. Try: ${hint}.`, [], {
    data: { name: typed },
  });
}
