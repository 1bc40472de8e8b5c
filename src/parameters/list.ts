import { columnParameters } from './columns.ts';
import { columnsBy } from './columns-by.ts';
import { words } from './parameter.ts';
import { reportParameters } from './report.ts';
import { selectionParameters } from './selection.ts';

/** What every report over many issues takes. */
export const listParameters = {
  columnsBy: columnsBy('issue'),
  ...selectionParameters,
  groupByFields: words.default([]).meta({
    description:
      'Ids of fields; each distinct combination of their values is a group. In lists the rows of a group stand together.',
  }),
  ...reportParameters,
  ...columnParameters,
};
