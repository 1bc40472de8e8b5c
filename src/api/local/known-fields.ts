import { dayText, instantFields, instantText } from '../../engine/content-as-of.ts';
import { rememberByChunk } from '../../issues/issue-chunks.ts';
import type { Issue } from '../../model/issue.ts';

/** What fields some issues have, and those a change mentions beside them. */
interface KnownFields {
  readonly contents: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly kindOf: (id: string) => 'text' | 'day' | 'instant';
}

/** The ids of all fields of these issues; remembered as long as the array lives. */
export const knownFields: (issues: readonly Issue[]) => KnownFields = rememberByChunk(meet, join);

type Met = Pick<KnownFields, 'contents' | 'changed'>;

function meet(issues: readonly Issue[]): Met {
  const contents = new Set<string>();
  const changed = new Set<string>();
  for (const issue of issues) {
    for (const id in issue.fields) contents.add(id);
    for (const { field } of issue.changes) changed.add(field);
  }
  return { contents, changed };
}

function join(parts: readonly Met[], issues: readonly Issue[]): KnownFields {
  const contents = new Set(parts.flatMap((part) => [...part.contents]));
  const changed = new Set(parts.flatMap((part) => [...part.changed]));
  const kinds = new Map<string, ReturnType<KnownFields['kindOf']>>();
  const kindOf = (id: string) => {
    const kind = kinds.get(id) ?? kindOfContents(id, issues);
    kinds.set(id, kind);
    return kind;
  };
  return { contents, changed, kindOf };
}

/** How many contents of a field are looked at to learn what it holds. */
const LOOKED_AT = 100;

/** Trackers do not tell the type of a field beside its content, so the content must: days and times are written alike. */
function kindOfContents(id: string, issues: readonly Issue[]): 'text' | 'day' | 'instant' {
  if (instantFields.includes(id)) return 'instant';
  const seen: string[] = [];
  for (const { fields } of issues) {
    const content = Object.hasOwn(fields, id) ? fields[id] : null;
    if (content === null || content === undefined || content === '') continue;
    if (typeof content !== 'string') return 'text';
    seen.push(content);
    if (seen.length === LOOKED_AT) break;
  }
  if (seen.length === 0) return 'text';
  if (seen.every((text) => dayText.test(text))) return 'day';
  return seen.every((text) => instantText.test(text)) ? 'instant' : 'text';
}
