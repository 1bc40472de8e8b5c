import type { z } from 'zod';
import type { AnswersApi } from '../api/answers/answers-api.ts';
import type { DelegationApi } from '../api/delegations/delegation-api.ts';
import type { ExportsApi } from '../api/exports/exports-api.ts';
import type { FlowsApi } from '../api/flows/create-flows.ts';
import { DEFAULT_CALENDAR } from '../api/parameters/report.ts';
import type { PeopleApi } from '../api/people/create-people.ts';
import type { Tokens } from '../api/people/tokens.ts';
import type { ReportingApi } from '../api/reporting/reporting-api.ts';
import type { SettingsApi } from '../api/settings/settings-api.ts';
import type { Instant } from '../model/issue.ts';
import type { Principal } from '../model/request.ts';
import { readArguments } from './read-arguments.ts';

/** The parts of tools: the ports of the other doors. */
export interface ToolParts {
  readonly reporting: ReportingApi;
  readonly settings: SettingsApi;
  readonly flows: Pick<FlowsApi, 'flow'>;
  readonly exports: ExportsApi;
  readonly answers: AnswersApi;
  /** People go by login. */
  readonly delegations: DelegationApi;
  readonly people: Pick<PeopleApi, 'users'>;
  readonly tokens: Pick<Tokens, 'provenBy'>;
  readonly now: () => Instant;
  /** The zone of the server, in which cover is shown. */
  readonly timeZone: string;
  readonly version: string;
  /** The address that links of exports begin with, without a slash at the end; null: files are on this very machine. */
  readonly baseUrl: string | null;
}

/** The parts for one call, with its principal and the signal that its client is gone. */
export interface ToolContext extends ToolParts {
  readonly principal: Principal;
  readonly signal: AbortSignal;
}

/** The answer of a tool for programs, and the same to read. */
interface ToolAnswer<Content = Readonly<Record<string, unknown>>> {
  readonly content: Content;
  readonly text: string;
}

/** The facts about a tool that assistants are shown. */
interface ToolFacts {
  /** The name, in snake_case. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly output: z.ZodObject;
  /** It looks through many issues: of one principal only a few are answered at a time. */
  readonly takesLong: boolean;
}

/** A tool as the list has it, whatever its arguments. */
export interface Tool extends ToolFacts {
  readonly parameters: z.ZodObject;
  call(given: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolAnswer>;
}

/** Binds a tool's parameters to its answer: what reaches `answer` has passed the schema. */
export function defineTool<Parameters extends z.ZodObject, Output extends z.ZodObject>({
  answer,
  ...tool
}: ToolFacts & {
  readonly parameters: Parameters;
  readonly output: Output;
  answer(input: z.output<Parameters>, context: ToolContext): Promise<ToolAnswer<z.output<Output>>>;
}): Tool {
  return {
    ...tool,
    async call(given, context) {
      const { shape } = tool.parameters;
      const named = 'calendar' in shape ? await calendarNamed(given.calendar, context.settings) : {};
      return answer(readArguments(tool.parameters, { ...given, ...named }), context);
    },
  };
}

/** A call without a calendar is measured by the default one. */
async function calendarNamed(given: unknown, settings: SettingsApi): Promise<{ readonly calendar?: string }> {
  const text = String(given ?? '').trim();
  const isDefault = text === '' || text.toLowerCase() === DEFAULT_CALENDAR;
  return isDefault ? { calendar: await settings.defaultCalendar() } : {};
}
