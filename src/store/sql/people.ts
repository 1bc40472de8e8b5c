import type { User } from '../../model/issue.ts';
import type { IssueStore } from '../store.ts';
import type { Areas } from './areas.ts';
import { type Engine, upsert } from './engine.ts';
import type { Erasures } from './persons/open-erasures.ts';
import type { Owner, Queries } from './tables.ts';

const put = upsert('user', ['tenant', 'tracker', 'id'], ['document']);

/** The users of a tracker: the list of all, and each list of some, is read once until a process puts a user. */
export function openPeople(
  engine: Engine,
  {
    owner: [tenant, tracker],
    areas,
    erasures,
  }: { readonly owner: Owner; readonly areas: Areas; readonly erasures: Erasures },
): Pick<IssueStore, 'users' | 'putUsers'> {
  const area = `people ${tracker}`;
  const known = areas.remember(area, async () => ({ isWhole: false, users: new Map<string, User>() }));
  const usersOf = (db: Queries) =>
    db
      .selectFrom('user')
      .select(['id', 'document'])
      .where((row) => row.and({ tenant, tracker }));

  return {
    async users(ids) {
      const now = await known();
      if (ids === undefined && !now.isWhole) {
        const rows = await usersOf(engine.db).orderBy('id').execute();
        now.users = new Map(rows.map(({ id, document }) => [id, JSON.parse(document)]));
        now.isWhole = true;
      }
      if (ids === undefined) return now.users;
      const wanted = [...ids];
      const missing = now.isWhole ? [] : wanted.filter((id) => !now.users.has(id));
      if (missing.length > 0) {
        const rows = await usersOf(engine.db).where(engine.isOneOf('id', missing)).execute();
        for (const { id, document } of rows) now.users.set(id, JSON.parse(document));
      }
      return new Map(
        wanted.flatMap((id) => {
          const user = now.users.get(id);
          return user === undefined ? [] : [[id, user]];
        }),
      );
    },
    async putUsers(users) {
      await areas.write(area, async (tx) => {
        const who = await erasures.at(tx.erasures);
        // The user in the place of one who was erased is there already.
        const present = users.filter(({ id }) => (who?.pseudonymOf(id) ?? null) === null);
        if (present.length > 0) tx.next();
        await tx.put(
          put,
          present.map((user) => ({ tenant, tracker, id: user.id, document: JSON.stringify(user) })),
        );
      });
    },
  };
}
