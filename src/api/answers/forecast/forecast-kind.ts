import type { QuestionKind } from '../question-kind.ts';
import { answerForecast } from './answer-forecast.ts';
import { explainForecast, forecastFigures } from './explain-forecast.ts';
import { type Forecast, forecastSchema } from './forecast-answer.ts';
import type { ForecastQuestion } from './forecast-question.ts';

/** `/tis forecast [FILTER] [20 issues | by Dec 24] [in CALENDAR]`, or of one issue. */
export const forecastKind: QuestionKind<ForecastQuestion, Forecast> = {
  kind: 'forecast',
  selections: ({ selection }) => [selection],
  ranges: () => [],
  async answer(question, context) {
    const value = await answerForecast(question, context);
    return { value, contents: value.provenance.contents ?? null };
  },
  isEmpty: () => false,
  withProvenance: (value, change) => ({ ...value, provenance: change(value.provenance) }),
  issuesBehind: ({ selection }, { projects }, about) => [
    about(selection),
    ...projects.map((project) => about({ by: 'project', project })),
  ],
  document: { schema: forecastSchema, facts: ({ provenance }) => ({ provenance, until: null }) },
  figures: forecastFigures,
  explain: explainForecast,
  file: async () => null,
};
