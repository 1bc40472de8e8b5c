import type { z } from 'zod';
import { oneOf, text, words } from './parameter.ts';
import { windowParameters } from './window.ts';
import { wordingParameters } from './wording.ts';

/** What every report takes, whatever its rows and columns are. */
export const reportParameters = {
  paramSetId: text.optional().meta({
    description:
      'Id of a parameter set: its parameters are taken where the request does not name them itself.',
  }),
  calendar: text.default('normalHours').meta({
    description: 'Id or name of the calendar that says which hours count; normalHours: all of them.',
  }),
  fields: words.default([]).meta({ description: 'Ids of fields to show as further columns.' }),
  historyFields: words
    .default([])
    .meta({ description: 'With the any-field reports: ids of the fields whose history is told.' }),
  ...windowParameters,
  ...wordingParameters,
};

/** The form of a report's answer. Screens of the compatible product call the full one a list of tables. */
export const outputType = oneOf(['json', 'jsonSimplified', 'csv'], { tableList: 'json', table: 'json' })
  .default('json')
  .meta({ description: 'The form of the answer; jsonSimplified is one flat object per line.' });

/** What every report was asked with, checked. */
export type AskedReport = z.output<z.ZodObject<typeof reportParameters>>;
/** The form of an answer, checked. */
export type OutputType = z.output<typeof outputType>;
