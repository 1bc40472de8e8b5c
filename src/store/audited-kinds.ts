import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import type { AuditChange, AuditEvent, AuditFacts, AuditSubject, AuditVerb } from '../model/audit.ts';
import type { ChannelSettings } from '../model/chat.ts';
import type { DelegationEntry, DelegationPermissions } from '../model/delegation.ts';
import type { DigestPeriod, StoredDigest } from '../model/digest.ts';
import type { Erasure } from '../model/erasure.ts';
import type { ExportRecord } from '../model/export.ts';
import type { ProjectFlow } from '../model/flow.ts';
import type { Nudge } from '../model/nudge.ts';
import type { ParameterSet } from '../model/parameter-set.ts';
import type { CalendarDefinition } from '../model/settings.ts';
import type { Snooze, Watch, WatchInput } from '../model/watch.ts';
import { sealingKeyOf } from './sealed-secrets.ts';
import { DROPPED, RESUMED } from './stamps.ts';
import type { TokenRecord } from './store.ts';
import type {
  DirectoryList,
  KeptLink,
  ListsSliceRecord,
  ProjectAccessRecord,
  RestingIssue,
  StatusList,
  StatusSettings,
} from './tracker-documents.ts';

/** The documents of a tenant, and of one of its trackers, by the names of their kinds. */
export interface StoredDocuments {
  readonly secret: string;
  readonly fact: string;
  readonly stamp: readonly string[];
  readonly erasure: Erasure;
  readonly token: TokenRecord;
  readonly calendar: CalendarDefinition;
  readonly 'parameter-set': ParameterSet;
  readonly 'delegation-permissions': DelegationPermissions;
  readonly digest: StoredDigest;
  readonly watches: Watch;
  readonly snoozes: readonly Snooze[];
  readonly facts: number | string;
  readonly directory: DirectoryList;
  readonly statuses: StatusList;
  readonly 'status categories': StatusSettings;
  readonly sync: unknown;
  readonly 'lists slices': ListsSliceRecord;
  readonly 'project access': ProjectAccessRecord;
  readonly rejected: RestingIssue;
  readonly delegations: DelegationEntry;
  readonly links: KeptLink;
  readonly flows: ProjectFlow;
}

/** The documents that are worked on, by their kinds. */
export interface StoredWork {
  readonly export: ExportRecord;
  readonly 'digest-period': DigestPeriod;
  readonly nudge: Nudge;
}

/** The state and its id before and after a change; null for none. */
interface Change<Document> {
  readonly id: string;
  readonly before: Document | null;
  readonly after: Document | null;
}

/** Describes a change for the audit log; null for one that is not written there. */
export type DescribeChange<Document> = (change: Change<Document>) => AuditEvent | null;

/** The entries of a kind: how a change of a document becomes one, or the reason why none does. */
export type Audited<Document> = DescribeChange<Document> | { readonly why: string };

/** Facts of a document, by which two states of it are compared. Of `parts` an entry only says which are others now. */
interface Facts extends AuditFacts {
  readonly parts?: Readonly<Record<string, unknown>>;
}

/**
 * Describes documents of a kind by facts of each; null for a document that is none of the kind. `verb` gives the word where it is
 * another one than created, changed or removed.
 */
function byFacts<Document>(
  kind: AuditSubject,
  factsOf: (document: Document) => Facts | null,
  verbOf: (before: Facts | null, after: Facts | null) => AuditVerb | null = () => null,
): DescribeChange<Document> {
  return ({ id, before: stored, after: next }) => {
    const before = stored === null ? null : factsOf(stored);
    const after = next === null ? null : factsOf(next);
    const subject = { kind, id };
    const plain = before === null ? 'created' : after === null ? 'removed' : 'changed';
    const facts = before === null || after === null ? whole(after ?? before) : differences(before, after);
    if (facts === null) return null;
    return { subject, verb: verbOf(before, after) ?? plain, facts };
  };
}

function whole(facts: Facts | null): AuditFacts | null {
  if (facts === null) return null;
  const { parts: _, ...written } = facts;
  return written;
}

/** The name, the people and what differs between the facts of two states; null where nothing does. */
function differences(
  { people: peopleBefore = {}, parts: partsBefore = {}, ...before }: Facts,
  { people: peopleAfter = {}, parts: partsAfter = {}, ...after }: Facts,
): AuditFacts | null {
  const parts = Object.keys(changesOf(partsBefore, partsAfter));
  const changed = {
    ...Object.fromEntries(parts.map((name) => [name, { isOther: true } as const])),
    ...changesOf(before, after),
  };
  const people = changesOf(peopleBefore, peopleAfter);
  if (Object.keys(changed).length + Object.keys(people).length === 0) return null;
  const same = Object.entries(peopleAfter).filter(([, value]) => typeof value === 'string');
  const name = after.name ?? before.name;
  return {
    ...(name !== undefined && { name }),
    people: { ...Object.fromEntries(same), ...people },
    changed,
  };
}

function changesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, AuditChange>> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].flatMap((name) => {
    const [from = null, to = null] = [before[name], after[name]];
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    return [[name, Array.isArray(from) && Array.isArray(to) ? listChange(from, to) : { from, to }] as const];
  });
  return Object.fromEntries(changed);
}

/** The items that came and that went; a list in another order has neither. */
function listChange(from: readonly unknown[], to: readonly unknown[]): AuditChange {
  const [texts, others] = [from, to].map((list) => new Set(list.map((one) => JSON.stringify(one))));
  return {
    added: to.filter((one) => !texts?.has(JSON.stringify(one))),
    removed: from.filter((one) => !others?.has(JSON.stringify(one))),
  };
}

/** The name under which the settings of the audit log itself are remembered from one start to the next. */
export const AUDIT_SETTINGS = 'audit-settings';

/** The open consents of an OAuth app, which pass in minutes, and its tokens, which are renewed hourly. */
const OPEN_CONSENTS = 'jira-oauth-questions';
const RENEWED = 'jira-oauth';

/** Describes a secret, of which nothing but the id of the key that it is encrypted with is written. */
const describeSecret = (isRenewed: boolean) =>
  byFacts<string>(
    'secret',
    (stored) => ({ encryptionKey: sealingKeyOf(stored), ...(!isRenewed && { parts: { value: stored } }) }),
    (before, after) => (before === null || after === null ? null : 'rotated'),
  );

const describeNudge = byFacts<Nudge>('nudge', ({ person, account, by }) => ({
  people: { person: person.id, account, by },
}));

const describeSettings = byFacts<string>('settings', (text) => JSON.parse(text));

const describeCategory = byFacts<DelegationEntry>('category', (entry) =>
  'category' in entry
    ? { name: entry.category.name, parts: { description: entry.category.description } }
    : null,
);

const describeDelegation = byFacts<DelegationEntry>('delegation', (entry) => {
  const last = 'versions' in entry ? entry.versions.at(-1) : undefined;
  if (last === undefined) return null;
  const { active, delegator, delegates, categoryIds, start, end, notes } = last;
  return { people: { delegator, delegates }, active, categoryIds, start, end, parts: { notes } };
});

/** Members of a watch that people choose; the others are notes of the checks. */
const watchParts: ReadonlySet<string> = new Set<keyof WatchInput>([
  'selection',
  'calendar',
  'timeZone',
  'tells',
]);

/** Every kind of documents: its entries in the audit log, or why it has none. */
export const auditedDocuments: { readonly [Kind in keyof StoredDocuments]: Audited<StoredDocuments[Kind]> } =
  {
    token: byFacts(
      'token',
      ({ user, admin, expiresAt, active }) => ({ people: { user }, admin, expiresAt, active }),
      (before, after) => {
        if (before === null || after === null || before.active === after.active) return null;
        return after.active === true ? 'turned-on' : 'turned-off';
      },
    ),
    secret: (change) => (change.id === OPEN_CONSENTS ? null : describeSecret(change.id === RENEWED)(change)),
    fact: (change) => (change.id === AUDIT_SETTINGS ? describeSettings(change) : null),
    erasure: (change) =>
      change.after === null
        ? null
        : { subject: { kind: 'person', id: change.after.pseudonym.id }, verb: 'erased', facts: {} },
    // Random words by which a restored database is recognized; two of them say that its posts rest or go on.
    stamp({ id }) {
      const verb = id === DROPPED ? 'paused' : id === RESUMED ? 'resumed' : null;
      if (verb === null) return null;
      const facts = verb === 'paused' ? { name: 'after a restore' } : {};
      return { subject: { kind: 'posts', id: 'scheduled' }, verb, facts };
    },
    calendar: byFacts('calendar', ({ name, timeZone, workingTimes, holidays, isDefault = false }) => ({
      name,
      timeZone,
      isDefault,
      workingTimes: workingTimes.map(
        ({ weekday, start, end }) => `${weekday} ${clockText(start)}–${clockText(end)}`,
      ),
      holidays: holidays.map(({ date, recurring }) => (recurring ? `${date} yearly` : date)),
    })),
    'parameter-set': byFacts(
      'parameter-set',
      ({ name, ownerId: owner, public: isPublic, report, deleted }) =>
        deleted === true ? null : { name, people: { owner }, public: isPublic, parts: { report } },
    ),
    'delegation-permissions': byFacts('delegation-permissions', ({ view, viewAll, editAll }) => ({
      people: { view, viewAll, editAll },
    })),
    digest: byFacts(
      'digest',
      ({ title, owner, place, schedule, workingDays, file, paused, question: { kind, ...question } }) => ({
        name: title,
        people: { owner },
        question: kind,
        parts: { question },
        channel: place.kind === 'channel' ? place.channel : null,
        ...schedule,
        workingDays,
        file,
        paused,
      }),
      ownerOrPause,
    ),
    watches: byFacts(
      'watch',
      ({ title, owner, paused, status, threshold, ...others }) => ({
        name: title,
        people: { owner },
        status: status?.name ?? null,
        threshold: threshold.by === 'time' ? threshold.words : threshold.by,
        paused,
        parts: Object.fromEntries(Object.entries(others).filter(([name]) => watchParts.has(name))),
      }),
      ownerOrPause,
    ),
    snoozes: {
      why: 'Alerts that one person does not want for some days.',
    },
    facts: { why: 'Facts about the last sync.' },
    // The rules of `dwell access` are Dwell's own; the other lists are the tracker's.
    directory: byFacts('access', ({ kind, entries }) =>
      kind === 'access'
        ? { people: Object.fromEntries(entries.map(({ id, value }) => [id, viewersOf(value)])) }
        : null,
    ),
    statuses: { why: "The tracker's own lists." },
    'status categories': byFacts('status-category', ({ settings }) => {
      const last = settings.at(-1);
      return last === undefined ? null : { category: last.category };
    }),
    sync: { why: 'The state of the sync, and the lease of it.' },
    'lists slices': { why: 'The place that a sync of lists has come to.' },
    'project access': { why: "The tracker's own permissions." },
    rejected: { why: 'Issues that the tracker could not show.' },
    delegations: (change) =>
      [change.before, change.after].some((one) => one !== null && 'category' in one)
        ? describeCategory(change)
        : describeDelegation(change),
    links: byFacts('link', ({ link }) =>
      link === null ? null : { people: { user: link.user, by: link.by }, admin: link.proof?.admin ?? null },
    ),
    flows: byFacts('flow', ({ versions }) => {
      const last = versions.at(-1);
      if (last === undefined) return null;
      return { revision: versions.length, isDefault: last.flow === null, parts: { ...last.flow } };
    }),
  };

/** Every kind of work: the entries of a new one, or why there are none. */
export const auditedWork: { readonly [Kind in keyof StoredWork]: Audited<StoredWork[Kind]> } = {
  export: byFacts('export', ({ total, input: { type, request } }) => ({
    people: { owner: request.principal.account },
    type,
    report: request.reportType,
    selection: request.selection.by,
    project: request.selection.by === 'project' ? request.selection.project : null,
    issues: total,
  })),
  'digest-period': { why: 'A post is written when it leaves.' },
  // Its id has the person who is asked.
  nudge: ({ before, after }) => describeNudge({ id: after?.key ?? '', before, after }),
};

/** Every namespace of the cache that people choose in: its entries, or why there are none. Others hold what can be made again. */
export const auditedNamespaces: { readonly channel: DescribeChange<ChannelSettings> } = {
  channel: byFacts('channel', ({ projects, unfurls, calendar, timeZone, timeZoneFrom }) => ({
    projects: projects?.map(({ key, withGuests }) => (withGuests ? `${key} with guests` : key)) ?? null,
    unfurls,
    calendar,
    // The zone of the first person who asks there was chosen by no one.
    timeZone: timeZoneFrom === undefined ? timeZone : null,
  })),
};

function ownerOrPause(before: Facts | null, after: Facts | null): AuditVerb | null {
  if (before === null || after === null) return null;
  if (before.people?.owner !== after.people?.owner) return 'owner-changed';
  if (before.paused === after.paused) return null;
  return after.paused === true ? 'paused' : 'resumed';
}

/** Milliseconds after midnight as a time of day. */
function clockText(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / millisecondsInHour), Math.floor(ms / millisecondsInMinute) % 60];
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
}

function viewersOf(rule: unknown): unknown {
  return typeof rule === 'object' && rule !== null && 'viewers' in rule ? rule.viewers : [];
}
