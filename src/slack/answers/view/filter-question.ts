import type { MeasuredQuestion } from '../../../model/question.ts';
import type { Selection } from '../../../model/request.ts';
import { parseOptions, unitOf } from '../../ask/grammar/parse-options.ts';
import { filterOrDefault } from '../../ask/grammar/read-filter.ts';
import type { QuestionView } from './question-view.ts';

/** A question about the issues of a filter in a calendar, and nothing else. */
interface FilterQuestion<Kind extends string> extends MeasuredQuestion {
  readonly kind: Kind;
  readonly selection: Selection;
}

/** The reader of `[FILTER] [in CALENDAR]` and the form in the builder of a kind of such questions. */
export function filterQuestion<Kind extends string>(
  kind: Kind,
): Required<Pick<QuestionView<FilterQuestion<Kind>>, 'read' | 'builder' | 'ofBuilder'>> {
  return {
    async read(words, context) {
      const { rest, tails } = await parseOptions(words, ['calendar', 'unit'], context);
      const { selection, remark } = await filterOrDefault(rest, context);
      const { calendar, timeZone } = context.hours;
      const question: FilterQuestion<Kind> = {
        kind,
        selection,
        calendar: tails.calendar ?? calendar,
        timeZone,
        ...unitOf(tails),
      };
      await context.check(question);
      return { question, remark };
    },
    builder: ({ selection, calendar }) => ({ report: kind, filter: selection, calendar }),
    ofBuilder: ({ filter: { selection }, calendar, timeZone }): FilterQuestion<Kind> => ({
      kind,
      selection,
      calendar,
      timeZone,
    }),
  };
}
