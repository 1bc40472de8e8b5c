import type { FieldValue } from '../../model/issue.ts';

/** Whether Jira shows the padlock: it says nothing of who sees the issue. */
const SHOWS = 'shouldDisplay';

/**
 * Whom an issue of a team-managed project is restricted to, from Jira's `issuerestriction`; none: nothing restricts it.
 * What is spelled in a way nobody knows restricts it too, for it is not empty.
 */
export function readRoles(raw: unknown): readonly FieldValue[] {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return named('restriction', raw);
  const { issuerestrictions, ...others } = { issuerestrictions: null, ...raw };
  return [
    ...(isRecord(issuerestrictions)
      ? Object.entries(issuerestrictions).flatMap(([kind, content]) => named(kind, content))
      : named('restriction', issuerestrictions)),
    ...Object.entries(others).flatMap(([name, content]) => (name === SHOWS ? [] : named(name, content))),
  ];
}

/** The same for the same content, so that a change of it is noticed. */
function named(kind: string, content: unknown): FieldValue[] {
  if (isEmpty(content)) return [];
  return (Array.isArray(content) ? content : [content]).map((one: unknown) => {
    const id: unknown = isRecord(one) ? Reflect.get(one, 'id') : one;
    const text = typeof id === 'string' || typeof id === 'number' ? String(id) : JSON.stringify(one);
    return { id: `${kind} ${text}`, name: `${kind} ${text}` };
  });
}

function isEmpty(content: unknown): boolean {
  if (content === null || content === undefined || content === '') return true;
  if (Array.isArray(content)) return content.length === 0;
  return typeof content === 'object' && Object.values(content).every(isEmpty);
}

function isRecord(content: unknown): content is object {
  return content !== null && typeof content === 'object' && !Array.isArray(content);
}
