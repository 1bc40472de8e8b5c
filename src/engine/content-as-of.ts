import { changesOf, contentOf, ownUpdate } from '../issues/issue-fields.ts';
import type { FieldContent, FieldValue, Instant, Issue } from '../model/issue.ts';
import { readInstant } from '../time/iso-dates.ts';
import { currentValue, timeline } from './timeline.ts';

/** What a field held at an instant, several values as a list, as far as it is known. Null is empty. */
export function contentAsOf(issue: Issue, field: string, asOf: Instant): FieldContent | undefined {
  if (instantFields.includes(field)) return instantAsOf(issue, field, asOf);
  const today = contentOf(issue, field);
  // Trackers show it under an id that keys of issues do not tell.
  if (field === 'project' && today !== undefined) return issue.project;
  if (asOf >= issue.updated) return today;
  if (today === undefined && changesOf(issue, field).length === 0) return undefined;
  const value = valueAsOf(issue, field, asOf);
  const content = today ?? null;
  // Without a change since, the list is what it is; otherwise the changelog tells it as one value.
  return value !== null && Array.isArray(content) && value.id === currentValue(issue, field)?.id
    ? content
    : value;
}

/** Fields that hold an instant. */
export const instantFields: readonly string[] = ['created', 'updated', 'resolutiondate'];

/** What a field held at an instant, as one value. */
export function valueAsOf(issue: Issue, field: string, asOf: Instant): FieldValue | null {
  if (field === 'project') return issue.project;
  // What the tracker shows last is what it shows, whatever the history left out.
  if (asOf >= issue.updated && contentOf(issue, field) !== undefined) return currentValue(issue, field);
  return timeline(issue, field, asOf).visits.at(-1)?.value ?? null;
}

/** An instant that still lay ahead then is not told. */
export function instantAsOf(issue: Issue, field: string, asOf: Instant): Instant | null {
  if (field === 'updated') return updatedBy(issue, asOf);
  if (!instantFields.includes(field)) return parseInstant(contentAsOf(issue, field, asOf));
  if (field === 'resolutiondate') return resolvedBy(issue, asOf);
  return issue.created <= asOf ? issue.created : null;
}

/** A date and time in a field of the site's own; what it says may well lie ahead. */
function parseInstant(content: FieldContent | undefined): Instant | null {
  const text = content !== null && typeof content === 'object' && 'id' in content ? content.id : content;
  if (typeof text !== 'string' || !instantText.test(text)) return null;
  return readInstant(text)?.instant ?? null;
}

/** How trackers write a day, and a date with its time and offset. */
export const dayText = /^\d{4}-\d\d-\d\d$/;
export const instantText = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** When the tracker says that the issue was updated, and before that when it was last changed as far as was known. */
function updatedBy(issue: Issue, asOf: Instant): Instant {
  const { created, updated } = issue;
  const told = ownUpdate(issue) ?? updated;
  if (told <= asOf) return told;
  return issue.changes.reduce((latest, { at }) => (at <= asOf ? Math.max(latest, at) : latest), created);
}

/**
 * When an issue had been resolved as it stood at an instant; null where it was not, or where nobody can tell. Trackers
 * tell the last resolution only; one that was taken back is found in the history of the field `resolution`.
 */
export function resolvedBy(issue: Issue, asOf: Instant): Instant | null {
  const { resolved, updated } = issue;
  const told = resolved !== null && resolved <= asOf ? resolved : null;
  if (asOf >= updated || changesOf(issue, 'resolution').length === 0) return told;
  let since: Instant | null = null;
  let certain = true;
  for (const { known, value, begun, start } of timeline(issue, 'resolution', asOf).visits) {
    if (known && value !== null && since !== null) continue;
    certain = known && (value === null || begun);
    since = certain && value !== null ? start : null;
  }
  return certain ? since : told;
}
