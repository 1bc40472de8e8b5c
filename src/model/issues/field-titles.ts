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
