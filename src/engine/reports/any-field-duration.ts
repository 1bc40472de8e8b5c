import type { FieldValue } from '../../model/issue.ts';
import { reportIds } from '../../model/report-ids.ts';
import type { Column } from '../../model/table.ts';
import { EMPTY } from '../columns/value-codes.ts';
import { NONE } from '../visits/field-visits.ts';
import { columnOf, levelOf, noKeys } from './measuring/report-keys.ts';
import type {
  CurrentKey,
  MeasureContext,
  ReportKeys,
  ReportType,
  Subject,
  Vocabulary,
} from './measuring/report-type.ts';

/**
 * Time per value of any field: one column per observed value, and one for the time without a value. With several
 * fields, each title begins with the field's.
 */
export const anyFieldDuration: ReportType = {
  id: reportIds.anyFieldDuration,
  title: 'Any Field Duration',
  shape: 'issue',
  options: ['historyFields'],
  requires: ['historyFields'],
  sharesOut: false,
  kind: 'duration',
  levels: ['value'],
  composite: false,
  fields: 'history',
  hasVisits: true,
  readsCut: () => false,
  keys: valueKeys,
  measure:
    (cursor, { histories }, sink) =>
    () => {
      for (const [field, { slots, first }] of histories.entries()) {
        const visits = cursor.histories[field];
        if (visits === undefined) continue;
        const { count, codes, works } = visits;
        for (let i = 0; i < count; i += 1) {
          const code = codes[i];
          const slot = slots.at[code] ?? 0;
          if (slot === slots.at[code + 1]) continue;
          const ms = works[i + 1] - works[i];
          sink.add(first + (slots.slots[slot] ?? 0), ms, 1, code, cursor.naming);
        }
      }
    },
  current: ({ histories }, plan) =>
    histories.flatMap((visits, field): readonly CurrentKey[] => {
      const history = plan.histories[field];
      if (visits.open === NONE || history === undefined) return [];
      const { slots, first } = history;
      const status = visits.codes[visits.open] ?? EMPTY;
      const key = first + (slots.slots[slots.at[status] ?? 0] ?? 0);
      return [{ key, since: visits.since(visits.open), status, other: 0 }];
    }),
};

function valueKeys({ histories, issue }: Vocabulary, context: MeasureContext): ReportKeys {
  let first = 0;
  const levels = context.historyFields.map((field, i) => {
    const values = histories[i] ?? [];
    const level = levelOf(values.length, (code) => {
      const value = values[code] ?? null;
      return value === null && code !== EMPTY ? [] : [subjectOf(field, value)];
    });
    const begin = first;
    first += level.codes.size;
    return { field: field.id, slots: level.codes, first: begin, subjectAt: level.subjectAt };
  });
  return {
    ...noKeys,
    histories: levels.map(({ field, slots, first: begin }) => ({ field, slots, first: begin })),
    keys: first,
    columnOf(key, code) {
      const level = levels.findLast((one) => one.first <= key);
      return columnOf(level?.subjectAt(code, key - level.first) ?? { id: '', title: '' }, 'duration');
    },
  };

  function subjectOf(field: Column, value: FieldValue | null): Subject {
    const id = value === null ? ':empty' : value.id;
    const title = value === null ? 'Empty' : context.nameOf(issue, field.id, value);
    return context.historyFields.length === 1
      ? { id, title }
      : { id: `${field.id}:${id}`, title: `${field.title}: ${title}` };
  }
}
