import { z } from 'zod';
import { factMembers } from '../../api/answers/document.ts';
import { forecastSchema } from '../../api/answers/forecast/forecast-answer.ts';
import { forecastKind } from '../../api/answers/forecast/forecast-kind.ts';
import type { ForecastQuestion } from '../../api/answers/forecast/forecast-question.ts';
import { weekParameters } from '../../api/parameters/dates.ts';
import { forecastOf, forecastParameters } from '../../api/parameters/forecast.ts';
import { issueKey } from '../../api/parameters/parameter.ts';
import { issueFilterParameters, readSelection } from '../../api/parameters/selection.ts';
import { defineRoute, json } from '../define-route.ts';
import { answerParameters, askKind, frameMembers } from '../report/figures.ts';

const days = {
  timeZone: weekParameters.timeZone.meta({
    description: 'The IANA time zone of the days; without it yours.',
    examples: ['Europe/Berlin'],
  }),
  ...answerParameters,
};

const described = 'The forecast, what it is made from, and its doubts; `refused` says why there is none.';
const schema = z
  .object({ ...frameMembers, ...factMembers, ...forecastSchema.shape })
  .meta({ id: 'Forecast' });

/** When issues are finished, or how many by a day. */
export const forecastRoutes = [
  defineRoute({
    id: 'getForecast',
    methods: ['get', 'post'],
    paths: ['/rest/forecast'],
    takesLong: true,
    section: 'Reports',
    summary: 'When issues will be done, or how many by a day: dates or numbers for 50, 85 and 95%',
    parameters: z.object({ ...issueFilterParameters, ...forecastParameters, ...days }),
    answers: json(described, schema),
    async answer(input, principal, parts) {
      const selection = readSelection(input);
      const question = (measured: Pick<ForecastQuestion, 'calendar' | 'timeZone'>): ForecastQuestion => ({
        kind: 'forecast',
        selection,
        ...(selection.by === 'sprint' ? { sprint: selection.id } : {}),
        ...forecastOf(input),
        ...measured,
      });
      return { body: (await askKind(forecastKind, question, input, principal, parts)).body };
    },
  }),
  defineRoute({
    id: 'getIssueForecast',
    methods: ['get'],
    paths: ['/rest/issue/forecast'],
    takesLong: true,
    section: 'Reports',
    summary: 'When one open issue will be done, from finished issues that were as old',
    parameters: z.object({ issueKey, ...days }),
    answers: json(described, schema, 404),
    async answer(input, principal, parts) {
      const question = (measured: Pick<ForecastQuestion, 'calendar' | 'timeZone'>): ForecastQuestion => ({
        kind: 'forecast',
        selection: { by: 'keys', keys: [input.issueKey] },
        ...measured,
      });
      return { body: (await askKind(forecastKind, question, input, principal, parts)).body };
    },
  }),
];
