import type { Instant } from '../../model/issue.ts';
import type { WatchAlert } from '../../model/watch.ts';
import type { ClaimedVisit, ClaimInstants, WatchAlerts, WatchVisit } from '../store.ts';
import type { Areas } from './areas.ts';
import { type Engine, FixedQuery, type Tx } from './engine.ts';
import type { Queries, Tables } from './tables.ts';

type Row = Tables['watch_alert'];

/** A row of one visit of a watch. */
type VisitKey = Pick<Row, 'tenant' | 'watch' | 'key' | 'since'>;

const ofOpen = ({ tenant, watch, key, since }: VisitKey) =>
  ({ tenant, watch, key, since, state: 'claimed' }) as const;

/** Puts an alert; one that has ended stays as it ended. */
const put = new FixedQuery((db: Queries, of: Row) => {
  const { state, account, claimed_at, settled_at } = of;
  return db
    .insertInto('watch_alert')
    .values({ ...ofOpen(of), state, account, claimed_at, settled_at })
    .onConflict((found) =>
      found
        .columns(['tenant', 'watch', 'key', 'since'])
        .doUpdateSet({ state, account, claimed_at, settled_at })
        .where('watch_alert.state', '=', 'claimed'),
    );
});

const free = new FixedQuery((db: Queries, of: VisitKey) =>
  db.deleteFrom('watch_alert').where((row) => row.and(ofOpen(of))),
);

const end = new FixedQuery((db: Queries, of: VisitKey & Pick<Row, 'account' | 'settled_at'>) =>
  db
    .updateTable('watch_alert')
    .set({ state: 'told', account: of.account, settled_at: of.settled_at })
    .where((row) => row.and(ofOpen(of))),
);

/** The alerts of a tenant's watches, which are the documents of a kind. */
export function openWatchAlerts(
  engine: Engine,
  areas: Areas,
  { tenant, kindOfWatches }: { readonly tenant: string; readonly kindOfWatches: string },
): WatchAlerts {
  const keyOf = ({ watchId, key, since }: WatchVisit): VisitKey => ({ tenant, watch: watchId, key, since });
  const alerts = engine.db.selectFrom('watch_alert').where('tenant', '=', tenant);

  const write = <Result>(work: (tx: Tx) => Promise<Result>) => areas.write('watch alerts', work);

  /** Finds the visits that an account can claim now, without a write. */
  async function look(db: Queries, account: string, visits: readonly WatchVisit[], at: ClaimInstants) {
    const ids = [...new Set(visits.map(({ watchId }) => watchId))];
    const keys = [...new Set(visits.map(({ key }) => key))];
    const watches = await db
      .selectFrom('document')
      .select('id')
      .where((row) => row.and({ tenant, kind: kindOfWatches }))
      .where(engine.isOneOf('id', ids))
      .execute();
    const rows = await db
      .selectFrom('watch_alert')
      .selectAll()
      .where((is) =>
        // The tenant stands on both sides, so that each has an index.
        is.or([
          is.and({ tenant, account }),
          is.and([is('tenant', '=', tenant), engine.isOneOf('watch', ids), engine.isOneOf('key', keys)]),
        ]),
      )
      .execute();
    return claimable(account, visits, { watches: new Set(watches.map(({ id }) => id)), rows, at });
  }

  return {
    async claim(account, visits, at) {
      // Most visits were posted before, and looking at them must not wait until an import has done writing.
      const before = await look(engine.db, account, visits, at);
      if (before === 'quiet') return before;
      if (before.take.length === 0 && before.heard.length === 0) return [];
      return write(async (tx) => {
        const now = await look(tx.db, account, visits, at);
        if (now === 'quiet') return now;
        const { take, heard } = now;
        const taken = take.map((visit) => ({ ...keyOf(visit), state: 'claimed', settled_at: null }));
        const posted = heard.map((visit) => ({ ...keyOf(visit), state: 'told', settled_at: visit.at }));
        const rows = [...taken, ...posted].map((row) => ({ ...row, account, claimed_at: at.now }));
        for (const row of rows) await put.run(tx.db, row);
        return take;
      });
    },
    async settle(visits, { state, account, at }) {
      const how = { account, settled_at: at };
      await write(async ({ db }) => {
        for (const of of visits.map(keyOf)) await (state === 'free' ? free : end).run(db, { ...of, ...how });
      });
    },
    async leaveAlone(visits, at) {
      if (visits.length === 0) return;
      const how = { state: 'told', account: null, claimed_at: at, settled_at: at };
      await write(async ({ db }) => {
        for (const visit of visits) await put.run(db, { ...keyOf(visit), ...how });
      });
    },
    async of(watchId) {
      const rows = await alerts
        .selectAll()
        .where('watch', '=', watchId)
        .orderBy('since')
        .orderBy('key')
        .execute();
      return rows.map(readAlert);
    },
    async removeOf(watchId) {
      await write(({ db }) =>
        db
          .deleteFrom('watch_alert')
          .where((row) => row.and({ tenant, watch: watchId }))
          .where((is) => is.or([is('account', 'is', null), is('state', '<>', 'told')]))
          .execute(),
      );
    },
    async forget(before) {
      const old = await alerts.select('key').where('settled_at', '<', before).limit(1).executeTakeFirst();
      if (old === undefined) return;
      await write(({ db }) =>
        db.deleteFrom('watch_alert').where('tenant', '=', tenant).where('settled_at', '<', before).execute(),
      );
    },
  };
}

function readAlert({ watch, key, since, state, account, settled_at }: Row): WatchAlert {
  return {
    watchId: watch,
    key,
    since,
    state: state === 'told' ? state : 'claimed',
    account,
    toldAt: state === 'told' ? settled_at : null,
  };
}

/** A visit the account was notified of by another watch, and when. */
interface HeardVisit extends WatchVisit {
  readonly at: Instant;
}

/** Returns the visits an account can claim, by its own rows and those of the visits. */
function claimable(
  account: string,
  visits: readonly WatchVisit[],
  {
    watches,
    rows,
    at,
  }: { readonly watches: ReadonlySet<string>; readonly rows: readonly Row[]; readonly at: ClaimInstants },
): { readonly take: readonly ClaimedVisit[]; readonly heard: readonly HeardVisit[] } | 'quiet' {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const rowOfVisit = ({ watchId, key, since }: WatchVisit) =>
    byKey.get(key)?.find((row) => row.watch === watchId && row.since === since);
  const open = visits.flatMap((visit): ClaimedVisit[] => {
    if (!watches.has(visit.watchId)) return [];
    const row = rowOfVisit(visit);
    if (row === undefined) return [{ ...visit, leftFor: null }];
    if (row.state !== 'claimed' || isUnderWay(row, at)) return [];
    return [{ ...visit, leftFor: row.account ?? account }];
  });
  if (open.length === 0) return { take: [], heard: [] };
  const isOfAccount = (row: Row) => row.account === account;
  if (rows.some((row) => isOfAccount(row) && (isUnderWay(row, at) || isRecent(row, at)))) return 'quiet';
  // An account is notified of a visit once, even if several watches found it.
  const take = new Map<string, ClaimedVisit>();
  const heard: HeardVisit[] = [];
  for (const visit of open) {
    const { watchId, key, since } = visit;
    const others = (byKey.get(key) ?? []).filter(
      (row) => isOfAccount(row) && row.watch !== watchId && row.since >= since,
    );
    const notifiedAt = others.flatMap(({ state, settled_at }) =>
      state === 'told' ? [Number(settled_at)] : [],
    );
    if (notifiedAt.length > 0) heard.push({ watchId, key, since, at: Math.max(...notifiedAt) });
    else if (!take.has(key)) {
      take.set(key, others.length === 0 ? visit : { ...visit, leftFor: visit.leftFor ?? account });
    }
  }
  return { take: [...take.values()], heard };
}

function isUnderWay({ state, claimed_at }: Row, { now, stale }: ClaimInstants): boolean {
  return state === 'claimed' && isBetween(claimed_at, stale, now);
}

function isRecent({ state, settled_at }: Row, { now, quietSince }: ClaimInstants): boolean {
  return state === 'told' && isBetween(Number(settled_at), quietSince, now);
}

/** Returns true for an instant after `after`; one that lies further ahead than `after` lies back is of a clock that was set back. */
function isBetween(at: Instant, after: Instant, now: Instant): boolean {
  return at > after && at <= 2 * now - after;
}
