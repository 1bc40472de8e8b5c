import { Agent } from 'undici';
import { z } from 'zod';
import { type HttpRequest, sendOnce } from '../../http-client/send-once.ts';
import { AppError } from '../../model/error.ts';
import { parseInstant } from '../jira-json/parse-instant.ts';
import type { Site } from '../live-tracker.ts';
import { type Answered, createAsking } from './ask-again.ts';
import { createBudget } from './budget.ts';
import type { Consent } from './consent.ts';
import { createEntrance } from './create-entrance.ts';
import { endpointOf } from './endpoint.ts';
import type { JiraAccess, JiraSurroundings } from './jira-access.ts';
import type { JiraClient, JiraKind, JiraQuestion } from './jira-client.ts';
import { LARGEST_ANSWER } from './largest-answer.ts';
import { readAnswer } from './read-answer.ts';
import { unavailable } from './why-not-answered.ts';

/** A page of issues with their histories takes its time. */
const TRY_MS = 120_000;
/** Behind a question about rights there is somebody who waits. */
const TRY_FOR_ASKERS_MS = 15_000;
const CONNECT_MS = 10_000;
const CONNECTIONS = 8;

const bases = { cloud: '/rest/api/3', dataCenter: '/rest/api/2', software: '/rest/agile/1.0' };

/** The only path that is the same in both products, so that it tells which of them it is. */
const SERVER_INFO = `${bases.dataCenter}/serverInfo`;

const serverInfo = z.object({
  deploymentType: z.string(),
  baseUrl: z.string().optional(),
  serverTime: z.string().optional(),
});

/** A client of Jira with connections of its own, and how people agree to it where it is an app. */
export function createJiraClient(
  access: JiraAccess,
  surroundings: JiraSurroundings,
): { readonly client: JiraClient; readonly consent: Consent | null } {
  const { now, wait, random, deadline } = surroundings;
  const agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_MS },
    headersTimeout: TRY_MS,
    bodyTimeout: TRY_MS,
    maxResponseSize: LARGEST_ANSWER,
  });
  const closing = new AbortController();
  const send = (request: HttpRequest, tryMs = TRY_MS) =>
    sendOnce(request, {
      dispatcher: agent,
      now,
      deadline: AbortSignal.any([deadline(tryMs), closing.signal]),
      mostBytes: LARGEST_ANSWER,
    });
  const { passes, consent } = createEntrance(access, { ...surroundings, send: (request) => send(request) });
  const parts = { now, wait, closing: closing.signal };
  const budget = createBudget({ ...parts, requestsPerMinute: access.requestsPerMinute });
  const asking = createAsking({ ...parts, passes, budget, random });

  function askPath(question: JiraQuestion, path: string): Promise<Answered> {
    const { method, query = {}, body, lane, patience } = question;
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, value);
    }
    const tryMs = lane === 'rights' ? TRY_FOR_ASKERS_MS : TRY_MS;
    const target = parameters.size === 0 ? path : `${path}?${parameters}`;
    return asking.ask({
      endpoint: endpointOf(question),
      asked: `${method} ${path}`,
      lane,
      patience,
      tryMs,
      send: ({ base, authorization }) =>
        send(
          {
            method,
            url: `${base}${target}`,
            authorization,
            body: body === undefined ? null : JSON.stringify(body),
          },
          tryMs,
        ),
    });
  }

  async function lookAtServer() {
    const { json, answer, pass } = await askPath({ method: 'GET', path: '/serverInfo' }, SERVER_INFO);
    const info = readAnswer(json, serverInfo, { asked: `GET ${SERVER_INFO}`, pass });
    return { info, answer, pass };
  }

  let known: Promise<JiraKind> | null = null;

  async function findKind(): Promise<JiraKind> {
    const { info } = await lookAtServer();
    return kindOf(info);
  }

  const client: JiraClient = {
    kind() {
      // Apps that people agree to in a browser are there in Cloud only.
      if (access.credentials.kind === 'oauth') return Promise.resolve('cloud');
      known ??= findKind().catch((error: unknown) => {
        known = null;
        throw error;
      });
      return known;
    },

    async site(): Promise<Site> {
      const { info, answer, pass } = await lookAtServer();
      known ??= Promise.resolve(kindOf(info));
      const there = parseInstant(info.serverTime) ?? Date.parse(answer.headers.get('date') ?? '');
      if (Number.isNaN(there)) {
        throw unavailable(`tells no time with GET ${SERVER_INFO}; nobody knows how its clock stands.`, pass);
      }
      const url = info.baseUrl !== undefined && URL.canParse(info.baseUrl) ? info.baseUrl : pass.site;
      return {
        url: url.replace(/\/+$/, ''),
        now: there,
        clockAheadMs: Math.round(there - (answer.askedAt + answer.answeredAt) / 2),
      };
    },

    async ask(question, shape) {
      const base = question.api === 'software' ? bases.software : bases[await client.kind()];
      const path = `${base}${question.path}`;
      const { json, pass } = await askPath(question, path);
      return readAnswer(json, shape, { asked: `${question.method} ${path}`, pass });
    },

    requests: asking.counts,

    async close() {
      closing.abort(new AppError('unavailable', 'Jira is no longer asked: Dwell is stopping.'));
      await agent.destroy();
    },
  };
  return { client, consent };
}

function kindOf({ deploymentType }: z.output<typeof serverInfo>): JiraKind {
  return deploymentType === 'Cloud' ? 'cloud' : 'dataCenter';
}
