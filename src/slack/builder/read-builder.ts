import { dateRangeFields } from '../../model/request.ts';
import { oneOf } from '../../questions/parse/typed-words.ts';
import type { Inputs } from '../modal.ts';
import { type BuilderForm, isReport, keptSchema, targets } from './builder-form.ts';

/** The form as it stands in the modal; what was not shown is as it was before. */
export function readBuilder({
  metadata,
  chosen,
  chosenAll,
  texts,
}: Inputs & { readonly metadata: string }): BuilderForm {
  const kept = keptSchema.parse(JSON.parse(metadata));
  const filter = texts.filter?.trim() ?? '';
  const hadDates = isReport(kept) && kept.range === 'dates';
  return {
    ...kept,
    report: chosen['builder-report'] ?? kept.report,
    filter,
    filterLeftOut: kept.filterLeftOut && filter === '',
    week: weekOf(chosen.week) ?? kept.week,
    range: chosen['builder-range'] ?? kept.range,
    dateField: oneOf(dateRangeFields, chosen['date-field']) ?? kept.dateField,
    from: hadDates ? (texts.from ?? '') : kept.from,
    to: hadDates ? (texts.to ?? '') : kept.to,
    groupBy: isReport(kept) ? (chosenAll['builder-group'] ?? []) : kept.groupBy,
    statistic: chosen.statistic ?? kept.statistic,
    calendar: chosen['builder-calendar'] ?? kept.calendar,
    target: oneOf(targets, chosen.target) ?? kept.target,
    saveAs: isReport(kept) ? (texts['save-as']?.trim() ?? '') : kept.saveAs,
    isPublic: isReport(kept) ? (chosenAll.public ?? []).length > 0 : kept.isPublic,
  };
}

/** Undefined: none was chosen. */
function weekOf(chosen: string | undefined): BuilderForm['week'] | undefined {
  const named = oneOf(['last', 'this'] as const, chosen);
  return named === undefined && /^\d+$/.test(chosen ?? '') ? Number(chosen) : named;
}
