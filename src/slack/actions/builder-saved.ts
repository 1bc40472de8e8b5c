import { offeredReports } from '../../questions/parse/read-grouping.ts';
import type { SlackAction } from '../action.ts';
import { formOfSaved } from '../builder/form-of-question.ts';
import { refillBuilder } from '../builder/open-builder.ts';
import type { ReadingParts } from '../parts.ts';
import { resolvePrincipal } from '../people/resolve-principal.ts';

/** A saved report chosen in the builder: the form is filled from it. */
export const builderSaved: SlackAction<ReadingParts> = {
  id: 'builder-saved',
  run: (click, parts) =>
    refillBuilder(click, parts, async (form) => {
      if (click.value === '') return { ...form, saved: '', untold: [] };
      const principal = await resolvePrincipal(click.principal.account, parts);
      const set = await parts.settings.parameterSet(principal, click.value);
      const calendars = await parts.settings.calendars(principal);
      const reportTypes = offeredReports(parts.reporting.reportTypes);
      return formOfSaved(set, form, { calendars, reportTypes });
    }),
};
