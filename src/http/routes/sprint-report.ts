import { millisecondsInDay } from 'date-fns/constants';
import { z } from 'zod';
import { checkDayLength } from '../../api/settings/request-of-saved.ts';
import { withNotes } from '../../output/provenance-sheet.ts';
import { reportParameters } from '../../parameters/report.ts';
import { readWindow } from '../../parameters/window.ts';
import { sprintKind } from '../../questions/sprint/sprint-kind.ts';
import type { SprintFigures } from '../../questions/sprint/sprint-report.ts';
import { isoText } from '../../time/iso-dates.ts';
import { defineRoute } from '../define-route.ts';
import {
  durationJson,
  leftOutJson,
  provenanceJson,
  spreadJson,
  type WeeklyFrame,
} from '../wire/weekly-json.ts';
import { aroundFigures, durationSchema, leftOutSchema, spreadSchema } from '../wire/weekly-schema.ts';

const { calendar, asOf, viewFormat, dayLength } = reportParameters;

const figures = z.object({
  id: z.string(),
  name: z.string(),
  start: z.iso.datetime(),
  end: z.iso.datetime().meta({ description: 'When it was closed; asOf while it runs.' }),
  running: z.boolean().meta({
    description:
      'True while the sprint runs: its figures go to asOf and are not comparable to those of whole sprints.',
  }),
  finished: z.int().meta({
    description:
      'Throughput: issues that came to a status of category Done within the sprint and were there at its end.',
  }),
  carriedOver: z
    .int()
    .meta({ description: 'Issues that were not done at its end; of a running one, not yet.' }),
  added: z.int().nullable().meta({
    description:
      'Issues that joined the sprint after its start; null where histories start too late to show it.',
  }),
  cycleTime: spreadSchema.meta({ description: 'Of the issues finished.' }),
  within: z
    .array(z.object({ id: z.string(), ...durationSchema.shape }))
    .meta({ description: 'Time its issues spent in each status within it, by status id.' }),
});

const reportSchema = aroundFigures
  .extend({
    issueCount: z.int().meta({ description: 'Issues in the sprint at its end.' }),
    sprint: figures,
    previousSprints: z
      .array(figures)
      .meta({ description: 'Up to five sprints before it on the same board, the newest first.' }),
    statuses: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          statusCategory: z.object({ name: z.string() }),
          within: durationSchema,
          previous: durationSchema.meta({ description: 'Mean of the previous sprints; "-" without one.' }),
        }),
      )
      .meta({ description: 'Those of category Done are left out.' }),
    doneSinceUnknown: leftOutSchema.meta({
      description:
        'Issues that are done and may have been finished in the sprint; since when is unknown, and why.',
    }),
    unclear: leftOutSchema.meta({
      description: 'Issues of which it is unknown whether they are done, and why.',
    }),
    statusesWithoutCategory: z.array(z.string()).meta({
      description: 'Statuses the issues were in whose category is unknown; `complete` is false then.',
    }),
  })
  .meta({ id: 'SprintReport' });

/** A sprint beside the sprints before it. */
export const sprintReport = defineRoute({
  methods: ['get'],
  paths: ['/rest/sprints/:id/report'],
  guarded: true,
  takesLong: true,
  section: 'Reports',
  summary:
    'A sprint: throughput, carried-over and added work, cycle time and time in status, vs. previous sprints',
  parameters: z.object({
    id: z
      .string()
      .regex(/^\d{1,15}$/, { error: 'is not a sprint id; allowed: a whole number' })
      .meta({ type: 'integer', description: 'Id of the sprint.' }),
    ...{ calendar, asOf, viewFormat, dayLength },
  }),
  answers: {
    description: 'The figures of the sprint and of up to five sprints before it on the same board.',
    content: { 'application/json': reportSchema },
    failures: [404],
  },
  async answer(asked, principal, { answers, reporting, settings, now, version }) {
    const unchecked = await checkDayLength(asked, principal, settings);
    const timeZone = await reporting.timeZoneOf(principal);
    const { value } = await answers.ask(
      sprintKind,
      principal,
      { kind: 'sprint', sprint: asked.id, selection: null, calendar: asked.calendar, timeZone },
      readWindow({ asOf: asked.asOf }, { now: now(), timeZone }).asOf,
    );
    const provenance = withNotes(value.provenance, unchecked);
    const dayMs = asked.dayLength === 'businessDays' ? provenance.calendar.dailyMs : millisecondsInDay;
    const frame = { viewFormat: asked.viewFormat, dayMs, version };
    const duration = (ms: number | null) => durationJson(ms, frame);
    return {
      body: {
        ...provenanceJson(provenance, timeZone, frame),
        sprint: figuresJson(value.own, frame),
        previousSprints: value.before.map((one) => figuresJson(one, frame)),
        statuses: value.statuses.map(({ id, title, category, within, before }) => ({
          id,
          name: title,
          statusCategory: { name: category },
          within: duration(within),
          previous: duration(before),
        })),
        doneSinceUnknown: value.doubts.sinceUnknown.map(leftOutJson),
        unclear: value.doubts.unclear.map(leftOutJson),
        statusesWithoutCategory: value.doubts.withoutCategory,
      },
    };
  },
});

function figuresJson(
  { span, finished, carriedOver, added, cycleTime, within }: SprintFigures,
  frame: WeeklyFrame,
) {
  return {
    ...{ id: span.id, name: span.name, start: isoText(span.start), end: isoText(span.end) },
    running: span.isRunning,
    ...{ finished, carriedOver, added },
    cycleTime: spreadJson(cycleTime, frame),
    within: [...within].map(([id, ms]) => ({ id, ...durationJson(ms, frame) })),
  };
}
