import type { SlackAction } from '../action.ts';
import { formOfParameters } from '../builder/form-of-parameters.ts';
import { refillBuilder } from '../builder/refill-builder.ts';
import { offeredReports } from '../exports/offered-reports.ts';
import { askerOf } from '../people/asker-of.ts';

/** A saved report chosen in the builder: the form is filled from it. */
export const builderSaved: SlackAction = {
  id: 'builder-saved',
  run: (click, parts) =>
    refillBuilder(click, parts, async (form) => {
      if (click.value === '') return { ...form, saved: '', untold: [] };
      const asker = await askerOf(click.asker.user, parts);
      const set = await parts.settings.parameterSet(asker, click.value);
      const calendars = await parts.settings.calendars(asker);
      const reportTypes = offeredReports(parts.reporting.reportTypes);
      return formOfParameters(set, form, { calendars, reportTypes });
    }),
};
