import express, { type Request, type Response, type Router } from 'express';
import { methods } from './methods/index.ts';
import { isJson, type Json, Refusal } from './slack-json.ts';
import { type Caller, type Method, readArgs } from './slack-method.ts';
import type { Stage } from './stage.ts';

/** One call the app made, without its token. */
export interface Call {
  readonly method: string;
  readonly args: Json;
}

/** Methods that answer without a token. */
const open = new Set(['api.test']);

/** Slack's Web API under `/:method`; `record` is told every call that reaches it. */
export function createWebApi(stage: Stage, record: (call: Call) => void): Router {
  const router = express.Router();
  const byName = new Map(methods.map((method) => [method.name, method]));
  // A body is read only for those who come with a token or send little: the address is open to every page.
  router.use((request, response, next) => {
    const [small, known] = [
      Number(request.headers['content-length'] ?? 0) <= 10_000,
      hasToken(request, stage),
    ];
    if (small || known) next();
    else response.status(200).json({ ok: false, error: 'not_authed' });
  });
  router.use(
    express.urlencoded({ extended: false, limit: '5mb', parameterLimit: 1_000 }),
    express.json({ limit: '5mb' }),
  );
  router.all('/:method', async (request, response) => {
    const name = request.params.method;
    const given: Json = { ...request.query, ...(isJson(request.body) ? request.body : {}) };
    const { token: _, ...args } = given;
    if (open.has(name) || isCaller(request, given, stage)) record({ method: name, args });
    const fault = await stage.faults.meet(name);
    const giveUp = () => {
      if (fault?.kind === 'status') response.status(fault.status).send('planned fault');
      else response.destroy();
    };
    if ((fault?.kind === 'status' || fault?.kind === 'lost') && !fault.isDone) return giveUp();
    if (fault?.kind === 'limit') return limited(response, fault.retryAfterSeconds);
    const wait = name === 'chat.postMessage' ? stage.pace.take(String(given.channel)) : 0;
    if (wait > 0) return limited(response, wait);
    const answered = answer(
      byName.get(name),
      request,
      given,
      stage,
      fault?.kind === 'refuse' ? new Refusal(fault.error, fault.extra) : undefined,
    );
    if (fault?.kind === 'lost' || fault?.kind === 'status') giveUp();
    else {
      const { scopes } = stage.options;
      if (scopes !== undefined && hasToken(request, stage)) response.set('x-oauth-scopes', scopes.join(','));
      response.json(answered);
    }
  });
  return router;
}

function limited(response: Response, retryAfterSeconds: number): void {
  response
    .status(429)
    .set('retry-after', String(retryAfterSeconds))
    .json({ ok: false, error: 'ratelimited' });
}

function answer(
  method: Method | undefined,
  request: Request,
  given: Json,
  stage: Stage,
  fault: Refusal | undefined,
): Json {
  try {
    if (!method) throw new Refusal('unknown_method', { req_method: request.params.method });
    const caller = callerOf(request, given, stage);
    if (!open.has(method.name)) authorize(method, caller, stage);
    if (fault !== undefined) throw fault;
    return { ok: true, ...method.run(readArgs(given), stage, caller) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.error, ...error.extra };
    throw error;
  }
}

function authorize(method: Method, caller: Caller, { faults }: Stage): void {
  if (caller === 'nobody') throw new Refusal('not_authed');
  const refused = faults.refusedToken(caller);
  if (refused !== undefined) throw new Refusal(refused);
  if (caller === 'app' && method.name !== 'apps.connections.open')
    throw new Refusal('not_allowed_token_type');
}

function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
}

function hasToken(request: Request, { options }: Stage): boolean {
  const token = bearerOf(request);
  return token === options.botToken || token === options.appToken;
}

function isCaller(request: Request, given: Json, stage: Stage): boolean {
  return hasToken(request, stage) || given.token === stage.options.botToken;
}

function callerOf(request: Request, given: Json, { options }: Stage): Caller {
  const token = bearerOf(request) ?? given.token;
  if (token === undefined || token === '') return 'nobody';
  if (token === options.botToken) return 'bot';
  if (token === options.appToken) return 'app';
  throw new Refusal('invalid_auth');
}
