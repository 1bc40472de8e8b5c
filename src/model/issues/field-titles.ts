import type { FieldName } from '../directory.ts';
import type { FieldValue } from '../issue.ts';
import { foldedName } from './ids-and-names.ts';
import { splitValue } from './value-sets.ts';

/** The suffix of the title of a custom field that is known by nothing else. */
const CUSTOM = ' (custom)';

/** True for the id, such as `customfield_10016`, of a field which people of a site have added. */
export function isCustomField(id: string): boolean {
  return id.startsWith('customfield_');
}

/**
 * The names of the fields that every Jira site has, in lower case: their ids, their titles in changelogs and their titles in
 * English. Sprints are not among them: the field of that title is the custom one.
 */
const systemTitles: ReadonlySet<string> = new Set([
  ...['affects version/s', 'affects versions', 'affectedversion', 'version', 'versions'],
  ...['aggregateprogress', 'aggregatetimeestimate', 'aggregatetimeoriginalestimate', 'aggregatetimespent'],
  ...['assignee', 'attachment', 'attachments', 'comment', 'comments'],
  ...['component', 'component/s', 'components', 'created', 'creator', 'description'],
  ...['due', 'due date', 'duedate', 'environment', 'fix version', 'fix version/s', 'fix versions'],
  ...['fixversion', 'fixversions', 'id', 'issue type', 'issuekey', 'issuelinks', 'issuerestriction'],
  ...['issuetype', 'issueparentassociation', 'key', 'labels', 'lastviewed', 'link', 'linked issues', 'links'],
  ...['original estimate', 'parent', 'priority', 'progress', 'project', 'remaining estimate'],
  ...['remoteissuelink', 'reporter', 'resolution', 'resolutiondate', 'resolved', 'security'],
  ...['security level', 'status', 'status category', 'statuscategory', 'statuscategorychangedate'],
  ...['sub-tasks', 'subtasks', 'summary', 'thumbnail', 'time spent', 'timeestimate'],
  ...['timeoriginalestimate', 'timespent', 'timetracking', 'type', 'updated', 'votes', 'watchers', 'watches'],
  ...['work ratio', 'workflow', 'worklog', 'worklogid', 'worklogtimespent', 'workratio'],
]);

/** True for a name, in any case, of a field that every site has. */
export function isSystemTitle(title: string): boolean {
  return systemTitles.has(title.trim().toLowerCase());
}

/** The name of a custom field whose title is that of a system field, as long as its id is not known. */
export function customNamed(title: string): string {
  return `${title}${CUSTOM}`;
}

/** The title of a field named by `customNamed`; null of any other. */
export function customTitle(field: string): string | null {
  return field.endsWith(CUSTOM) ? field.slice(0, -CUSTOM.length) : null;
}

/** Known fields: the ids in issues, the names in changes, and titles by id. */
interface KnownTitles {
  readonly ids: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The titles among what changes call fields that are no known field's, in order; none where issues have no custom field
 * without a known title, for then there is no field they could lead to.
 */
export function unmatchedTitles({ ids, changed, names }: KnownTitles): string[] {
  if (ids.values().every((id) => !isCustomField(id) || names.has(id))) return [];
  const titled = new Set(names.values());
  const isId = (field: string) => isCustomField(field) || ids.has(field) || names.has(field);
  const titles = [...changed].flatMap((field) => {
    const custom = customTitle(field);
    const isOther = isId(field) || (custom === null && isSystemTitle(field));
    return isOther || titled.has(custom ?? field) ? [] : [custom ?? field];
  });
  return titles.sort();
}

/**
 * The fields among some whose changes may stand under a title that is not known to be theirs, so that their histories are
 * unknown.
 */
export function untitledAmong(fields: Iterable<string>, known: KnownTitles): string[] {
  const { changed, names } = known;
  const untitled = [...fields].filter((id) => isCustomField(id) && !names.has(id) && !changed.has(id));
  return untitled.length === 0 || unmatchedTitles(known).length === 0 ? [] : untitled;
}

/**
 * The name of Jira's flag in its languages. Cloud keeps the English one beside the translated name, and Data Center names the
 * field once, in the language it was installed in.
 */
const flagNames: ReadonlySet<string> = new Set([
  ...[
    'flagged',
    'markiert',
    'gekennzeichnet',
    'marqué',
    'avec indicateur',
    'marcado',
    'marcada',
    'sinalizado',
  ],
  ...[
    'contrassegnato',
    'segnalato',
    'gemarkeerd',
    'flaggad',
    'flagget',
    'markeret',
    'merkitty',
    'megjelölve',
  ],
  ...['oznaczone', 'oznaczono', 'oflagowane', 'označeno', 'označené', 'marcat', 'işaretlendi', 'bayraklı'],
  ...['отмечено', 'помечено', 'позначено', 'フラグ付き', 'フラグ', '플래그 지정됨', '플래그됨'],
  ...['已标记', '已標記', '已加标记', '已加旗標'],
]);

/** Returns true where a name, in any of Jira's languages, is that of the flag. */
export function isFlagName(name: string): boolean {
  return flagNames.has(foldedName(name));
}

/** Returns true where a field is the flag: by its type and name, or, if only its name is known, by that. */
export function isFlag({ name, flag }: FieldName): boolean {
  return flag ?? isFlagName(name);
}

/** The words of a link to the issue that blocks, in the languages in which Jira installs its type of link. */
const blockedByWords: readonly string[] = [
  ...['is blocked by', 'blocked by', 'wird blockiert von', 'wird blockiert durch'],
  ...['est bloqué par', 'est bloquée par', 'está bloqueado por', 'está bloqueada por', 'es bloqueado por'],
  ...['é bloqueado por', 'é bloqueada por', 'è bloccato da', 'è bloccata da', 'wordt geblokkeerd door'],
  ...['blockeras av', 'blokkeres av', 'er blokkert av', 'blokeres af', 'er blokeret af', 'on estänyt'],
  ...['jest blokowane przez', 'jest zablokowane przez', 'je blokováno', 'je blokované', 'este blocat de'],
  ...['заблокировано', 'блокируется', 'заблоковано', 'tarafından engelleniyor'],
  ...[
    'によってブロックされている',
    'によってブロックされています',
    '에 의해 차단됨',
    '被阻止',
    '被阻塞',
    '被阻擋',
  ],
];

/** Returns true where a link's words, as the field or a changelog has them, say that its issue is blocked by another. */
function saysBlockedBy(words: string): boolean {
  const text = foldedName(words);
  return blockedByWords.some((own) => text === own || text.endsWith(` ${own}`));
}

/**
 * The keys (upper case) of the issues that block, in a value of the links of an issue: "is blocked by WEB-3", in a set as well
 * as alone.
 */
export function blockersIn(links: FieldValue | null): readonly string[] {
  if (links === null) return [];
  const keys = splitValue(links).flatMap(({ id }) => {
    const at = id.lastIndexOf(' ');
    return at > 0 && saysBlockedBy(id.slice(0, at)) ? [id.slice(at + 1).toUpperCase()] : [];
  });
  return [...new Set(keys)].sort();
}
