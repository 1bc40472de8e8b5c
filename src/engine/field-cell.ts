import type { Issue } from '../model/issue.ts';
import type { Cell, Column } from '../model/table.ts';
import { computedFields } from './computed-fields.ts';
import { instantAsOf, valueAsOf } from './content-as-of.ts';
import type { MeasureContext } from './report-type.ts';

const computed = new Map(computedFields.map((field) => [field.id as string, field]));

/** What a field held at the as-of instant as a cell; null where it was empty. */
export function fieldCell(issue: Issue, { id, kind }: Column, context: MeasureContext): Cell | null {
  const field = computed.get(id);
  if (field !== undefined) return field.cell(issue, context);
  if (kind === 'instant') {
    const at = instantAsOf(issue, id, context.asOf);
    return at === null ? null : { value: at };
  }
  const value = valueAsOf(issue, id, context.asOf);
  return value === null ? null : { value: context.nameOf(issue, id, value), id: value.id };
}
