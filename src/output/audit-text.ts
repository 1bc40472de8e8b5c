import type { AuditChange, AuditEntry, AuditFacts, AuditSubject, AuditVerb } from '../model/audit.ts';
import { isoText, minuteText } from '../time/date-text.ts';

/** A subject in words, before its name or its id; `isAlone`: nothing follows, because there is one, or the id says nothing. */
const subjects: Readonly<Record<AuditSubject, { readonly words: string; readonly isAlone?: true }>> = {
  access: { words: 'the access rules', isAlone: true },
  alert: { words: 'an alert to' },
  answer: { words: 'an answer', isAlone: true },
  calendar: { words: 'the calendar' },
  category: { words: 'the category' },
  channel: { words: 'the settings of the channel' },
  database: { words: 'the database from' },
  delegation: { words: 'the' },
  'delegation-permissions': { words: 'the permissions on delegations', isAlone: true },
  digest: { words: 'the digest' },
  export: { words: 'an export', isAlone: true },
  file: { words: 'the file' },
  flow: { words: 'the flow of' },
  link: { words: 'the link of' },
  nudge: { words: 'a nudge about' },
  'parameter-set': { words: 'the parameter set' },
  person: { words: 'the person' },
  posts: { words: 'digests and alerts', isAlone: true },
  preview: { words: 'a preview', isAlone: true },
  question: { words: '' },
  secret: { words: 'the secret' },
  settings: { words: 'the settings of the audit log', isAlone: true },
  'status-category': { words: 'the category of status' },
  token: { words: 'a token', isAlone: true },
  tracker: { words: 'the tracker' },
  watch: { words: 'the watch' },
};

/** Subjects that there are always: what is new of them was set, and what is gone is what it is by default. */
const settings: ReadonlySet<string> = new Set<AuditSubject>([
  'access',
  'channel',
  'delegation-permissions',
  'flow',
  'settings',
  'status-category',
]);

const verbs: Readonly<Record<AuditVerb, string>> = {
  answered: 'asked',
  changed: 'changed',
  connected: 'connected',
  created: 'created',
  downloaded: 'downloaded',
  erased: 'erased',
  exported: 'exported what is stored about',
  'owner-changed': 'changed the owner of',
  paused: 'paused',
  posted: 'posted',
  removed: 'removed',
  restored: 'restored',
  resumed: 'resumed',
  rotated: 'rotated',
  shared: 'shared',
  'turned-off': 'turned off',
  'turned-on': 'turned on',
};

/** Words before people, by what they are to the subject; others are called what they are. */
const roles: ReadonlyMap<string, string> = new Map([
  ['user', 'for'],
  ['owner', 'for'],
  ['person', 'to'],
  ['delegator', 'for'],
  ['delegates', 'covered by'],
]);

const instants: ReadonlySet<string> = new Set(['expiresAt', 'copiedAt', 'formerKeysEndAt', 'start', 'end']);

/** More that came or went is counted. */
const MAX_LISTED = 3;

/** Gives the name of an account or a user by its id. */
type NameOf = (account: string) => string;

/** An entry of the audit log as a sentence, such as "Ada created a token for build (admin)". Times are in UTC. */
export function auditText(entry: AuditEntry, nameOf: NameOf): string {
  const { action, facts, subject } = entry;
  const [kind = '', verb = ''] = action.split('.');
  const { name, people = {}, changed = {}, ...others } = facts;
  if (kind === 'secret' && typeof facts.newKey === 'string') {
    return `${actorText(entry, nameOf)} ${signingKeyText({ ...facts, newKey: facts.newKey })}`;
  }
  const { words, isAlone } = new Map(Object.entries(subjects)).get(kind) ?? { words: kind };
  const called = name ?? (kind === 'alert' || kind === 'link' ? nameOf(subject) : subject);
  const sentence = [
    actorText(entry, nameOf),
    verbText(kind, verb),
    words,
    ...(isAlone ? [] : [called]),
    ...Object.entries(people).flatMap(([role, value]) => peopleText(role, value, nameOf)),
  ];
  const changes = Object.entries(changed)
    // That its value is another one goes without saying.
    .filter(([, change]) => kind !== 'secret' || !('isOther' in change))
    .map(([fact, change]) => changeText(fact, change));
  const details = Object.entries(others).flatMap(([fact, value]) => factText(fact, value));
  return [
    sentence.filter((part) => part !== '').join(' '),
    ...(changes.length === 0 ? [] : [`: ${changes.join(', ')}`]),
    ...(details.length === 0 ? [] : [` (${details.join(', ')})`]),
  ].join('');
}

/** A rotation of the key that signs tokens, which ends the former keys at once or later. */
function signingKeyText({
  newKey,
  formerKeysEndAt,
  revoked,
}: AuditFacts & { readonly newKey: string }): string {
  const rotated = `rotated the key that signs tokens to ${newKey}`;
  if (revoked === true) return `${rotated} and revoked the former keys`;
  return `${rotated}; former keys work until ${valueText('formerKeysEndAt', formerKeysEndAt, String)}`;
}

/** The one who did it; a user of the machine, the clock and Dwell itself are no one's account. */
function actorText({ actor, via }: AuditEntry, nameOf: NameOf): string {
  if (via === 'cli') return actor === null ? 'The command line' : `${actor} (command line)`;
  if (actor === null) return via === 'system' || via === 'clock' ? 'Dwell' : 'Someone without a token';
  return nameOf(actor);
}

function verbText(kind: string, verb: string): string {
  if (settings.has(kind) && verb === 'created') return 'set';
  if (settings.has(kind) && verb === 'removed') return 'reset';
  return new Map(Object.entries(verbs)).get(verb) ?? verb;
}

function peopleText(role: string, value: unknown, nameOf: NameOf): readonly string[] {
  const named = (one: unknown) => nameOf(String(one));
  const word = roles.get(role) ?? factName(role);
  if (Array.isArray(value)) return value.length === 0 ? [] : [`${word} ${value.map(named).join(', ')}`];
  if (typeof value === 'string') return [`${word} ${named(value)}`];
  return isChange(value) ? [`${changeText(role, value, named)}`] : [];
}

function isChange(value: unknown): value is AuditChange {
  return typeof value === 'object' && value !== null;
}

/** A change, such as "holidays +2" or "time zone UTC → Europe/Berlin"; the name alone of what is not repeated. */
function changeText(fact: string, change: AuditChange, text: (value: unknown) => string = String): string {
  const name = factName(fact);
  if ('isOther' in change) return name;
  if ('added' in change) {
    const sides = [['+', change.added] as const, ['−', change.removed] as const];
    const isFew = change.added.length + change.removed.length <= MAX_LISTED;
    const shown = sides.flatMap(([sign, list]) => {
      if (isFew) return list.map((one) => `${sign}${text(one)}`);
      return list.length === 0 ? [] : [`${sign}${list.length}`];
    });
    return [name, ...(shown.length === 0 ? ['in another order'] : shown)].join(' ');
  }
  const [from, to] = [change.from, change.to].map((value) =>
    value === null ? 'none' : valueText(fact, value, text),
  );
  return `${name} ${from} → ${to}`;
}

/** A fact of something; none for what is not set, or true of everything that is new. */
function factText(fact: string, value: unknown): readonly string[] {
  if (value === null || value === false || fact === 'active') return [];
  if (Array.isArray(value) && value.length === 0) return [];
  if (fact === 'issues' && typeof value === 'number') return [value === 1 ? '1 issue' : `${value} issues`];
  return value === true ? [factName(fact)] : [`${factName(fact)} ${valueText(fact, value, String)}`];
}

function valueText(fact: string, value: unknown, text: (value: unknown) => string): string {
  if (typeof value === 'number' && instants.has(fact)) return minuteText(value);
  if (!Array.isArray(value)) return text(value);
  return value.length <= MAX_LISTED ? value.map(text).join(', ') : String(value.length);
}

/** `timeZone` is "time zone". */
function factName(fact: string): string {
  return fact.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** An entry of the audit log as JSON: its subject with its kind; instants, and facts whose names end in At, are ISO 8601 in UTC. */
export function auditData({ id, at, actor, via, tokenId, requestId, action, subject, facts }: AuditEntry) {
  const [kind = ''] = action.split('.');
  const who = { actor, via, tokenId, requestId };
  const dated = Object.entries(facts).map(([name, value]) => [name, datedFact(name, value)]);
  return {
    id,
    at: isoText(at),
    ...who,
    action,
    subject: { kind, id: subject },
    facts: Object.fromEntries(dated),
  };
}

/** A fact with its instants as texts; values before and after a change are called what the change is called. */
function datedFact(name: string, value: unknown): unknown {
  if (typeof value === 'number' && name.endsWith('At')) return isoText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => {
      const isSide = member === 'from' || member === 'to';
      return [member, datedFact(isSide ? name : member, one)];
    }),
  );
}
