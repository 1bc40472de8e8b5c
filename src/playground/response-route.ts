import express, { type Router } from 'express';
import { applyResponse } from './apply-response.ts';
import { isJson } from './json.ts';
import { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';

/** The name under which faults are planted for the response URLs, which are no method of the Web API. */
export const responseStep = 'response_url';

/** The response URLs: `/:id` takes what an app answers late. */
export function createResponseRoute({ responseUrls, workspace, faults }: Stage): Router {
  const router = express.Router();
  router.use(express.json({ limit: '5mb' }));
  router.post('/:id', async (request, response) => {
    const fault = await faults.meet(responseStep);
    if (fault?.kind === 'refuse') {
      const status = fault.inBody ? 200 : 404;
      return void response.status(status).json({ ok: false, error: fault.error });
    }
    if (fault?.kind === 'limit') return void response.status(429).send('stand-in fault');
    const giveUp = () => {
      if (fault?.kind === 'status') response.status(fault.status).send('stand-in fault');
      else response.destroy();
    };
    if (fault !== undefined && !fault.isDone) return giveUp();
    const target = responseUrls.use(request.params.id);
    if (typeof target === 'string') return void response.status(404).json({ ok: false, error: target });
    try {
      if (!isJson(request.body)) throw new Refusal('invalid_payload');
      applyResponse(workspace, target, request.body);
      if (fault === undefined) response.type('text').send('ok');
      else giveUp();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response
        .status(error.error === 'message_not_found' ? 404 : 400)
        .json({ ok: false, error: error.error, ...error.extra });
    }
  });
  return router;
}
