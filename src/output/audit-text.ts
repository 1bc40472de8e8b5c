import type { AuditChange, AuditEntry, AuditSubject, AuditVerb } from '../model/audit.ts';
import { minuteText } from '../time/date-text.ts';

/** Words of a subject: before its name, and where it is new or has no name. */
const nouns: Readonly<Record<AuditSubject, readonly [named: string, other: string]>> = {
  access: ['the access rules', 'the access rules'],
  alert: ['alerts to', 'alerts'],
  answer: ['an answer', 'an answer'],
  calendar: ['the calendar', 'the calendar'],
  category: ['the category', 'the category'],
  channel: ['the settings of the channel', 'the settings of the channel'],
  delegation: ['the delegation', 'the delegation'],
  'delegation-permissions': ['the permissions on delegations in', 'the permissions on delegations'],
  digest: ['the digest', 'the digest'],
  export: ['the export', 'an export'],
  file: ['the file', 'a file'],
  flow: ['the flow of', 'the flow'],
  link: ['the link of the account', 'the link of an account'],
  nudge: ['the nudge', 'a nudge'],
  'parameter-set': ['the parameter set', 'a parameter set'],
  posts: ['posts:', 'posts'],
  preview: ['a preview of issues', 'a preview of issues'],
  question: ['a question:', 'a question'],
  secret: ['the secret', 'a secret'],
  settings: ['the settings', 'the settings'],
  'status-category': ['the category of the status', 'the category of a status'],
  token: ['the token', 'a token'],
  tracker: ['the tracker', 'the tracker'],
  watch: ['the watch', 'the watch'],
};

const verbs: Readonly<Record<AuditVerb, string>> = {
  answered: 'asked',
  changed: 'changed',
  connected: 'connected',
  created: 'created',
  downloaded: 'downloaded',
  'owner-changed': 'changed the owner of',
  paused: 'paused',
  posted: 'posted',
  removed: 'removed',
  resumed: 'resumed',
  rotated: 'rotated',
  shared: 'shared',
  'turned-off': 'turned off',
  'turned-on': 'turned on',
};

/** Facts that are instants. */
const instants: ReadonlySet<string> = new Set(['expiresAt', 'start', 'end']);

/**
 * An entry of the audit log as a sentence, such as "Ada created a token for build (admin)"; `nameOf` gives the name of an
 * account or a user by id. Times are in UTC.
 */
export function auditText(entry: AuditEntry, nameOf: (account: string) => string): string {
  const { action, facts, subject } = entry;
  const [kind = '', verb = ''] = action.split('.');
  const { name, people = {}, changed = {}, ...others } = facts;
  const [named, other] = new Map(Object.entries(nouns)).get(kind) ?? [kind, kind];
  // What is known by a random id alone is called by its people.
  const isUnnamed = kind === 'token' && verb === 'created';
  const called = isUnnamed ? other : `${named} ${name ?? (kind === 'alert' ? nameOf(subject) : subject)}`;
  const details = [
    ...Object.entries(changed).map(([fact, change]) => changeText(fact, change, String)),
    ...Object.entries(others).flatMap(([fact, value]) => factText(fact, value)),
  ];
  return [
    actorText(entry, nameOf),
    new Map(Object.entries(verbs)).get(verb) ?? verb,
    called,
    ...Object.entries(people).flatMap(([role, value]) => peopleText(role, value, nameOf)),
  ]
    .join(' ')
    .concat(
      details.length === 0
        ? ''
        : Object.keys(changed).length > 0
          ? `: ${details.join(', ')}`
          : ` (${details.join(', ')})`,
    );
}

/** Who did it; a number of the machine's, the clock and Dwell itself are no accounts. */
function actorText({ actor, via }: AuditEntry, nameOf: (account: string) => string): string {
  if (via === 'cli') return actor === null ? 'The command line' : `${actor} (command line)`;
  if (actor === null) return via === 'system' || via === 'clock' ? 'Dwell' : `Someone (${via})`;
  return nameOf(actor);
}

/** People of one role: the user of a token or a link, and an owner, are the ones it is for. */
function peopleText(role: string, value: unknown, nameOf: (account: string) => string): readonly string[] {
  const word = ['user', 'owner', 'person'].includes(role) ? 'for' : `${role}`;
  const names = (list: readonly unknown[]) => list.map((one) => nameOf(String(one))).join(', ');
  if (typeof value === 'string') return [`${word} ${nameOf(value)}`];
  if (Array.isArray(value)) return value.length === 0 ? [] : [`${word} ${names(value)}`];
  return isChange(value) ? [changeText(role, value, (one) => nameOf(String(one)))] : [];
}

function isChange(value: unknown): value is AuditChange {
  return typeof value === 'object' && value !== null;
}

/** A change, such as "holidays +2" or "name Office → HQ". */
function changeText(fact: string, change: AuditChange, text: (value: unknown) => string): string {
  if ('isOther' in change) return fact;
  if ('added' in change) {
    const [added, removed] = [change.added.length, change.removed.length];
    const few = [
      ...change.added.map((one) => `+${text(one)}`),
      ...change.removed.map((one) => `−${text(one)}`),
    ];
    if (few.length <= MAX_LISTED) return [fact, ...few].join(' ');
    return [fact, ...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(' ');
  }
  const shown = (value: unknown) => (value === null ? 'none' : valueText(fact, value, text));
  return `${fact} ${shown(change.from)} → ${shown(change.to)}`;
}

/** More that came and went is counted. */
const MAX_LISTED = 3;

/** A fact of something new; none for what is not set. */
function factText(fact: string, value: unknown): readonly string[] {
  if (value === null || value === false || (Array.isArray(value) && value.length === 0)) return [];
  if (value === true) return [fact];
  return [`${fact} ${valueText(fact, value, String)}`];
}

function valueText(fact: string, value: unknown, text: (value: unknown) => string): string {
  if (typeof value === 'number' && instants.has(fact)) return minuteText(value);
  if (Array.isArray(value))
    return value.length <= MAX_LISTED ? value.map(text).join(', ') : String(value.length);
  return text(value);
}
