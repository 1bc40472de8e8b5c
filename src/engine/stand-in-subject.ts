import { type DelegateTime, GENERAL } from '../model/delegation.ts';
import type { FieldValue } from '../model/issue.ts';
import type { MeasureContext } from './report-type.ts';
import { assigneeSubject, type Subject } from './value-columns.ts';

/** Somebody standing in for the person an issue is with: "Bob for Ada (Expense)", or "Bob for Ada" for everything. */
export function standInSubject(owner: FieldValue, standIn: DelegateTime, context: MeasureContext): Subject {
  const { id, title } = assigneeSubject(owner, context);
  const { category } = standIn;
  const delegate = { id: standIn.delegate, title: context.userName(standIn.delegate) ?? standIn.delegate };
  const work = category.id === null ? '' : ` (${category.name})`;
  return {
    id: `:standIn:${category.id ?? GENERAL}:${encoded(id)}:${encoded(delegate.id)}`,
    title: `${delegate.title} for ${title}${work}`,
    standIn: { owner: { id, title }, delegate, category },
  };
}

/** Ids of people may hold colons, and two pairs of people must not read alike. */
function encoded(id: string): string {
  return id.replaceAll('%', '%25').replaceAll(':', '%3A');
}
