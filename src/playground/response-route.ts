import express, { type Router } from 'express';
import { applyResponse } from './apply-response.ts';
import { isJson } from './json.ts';
import { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';

/** The response URLs: `/:id` takes what an app answers late. */
export function createResponseRoute({ responseUrls, workspace }: Stage): Router {
  const router = express.Router();
  router.use(express.json({ limit: '5mb' }));
  router.post('/:id', (request, response) => {
    const target = responseUrls.use(request.params.id);
    if (typeof target === 'string') return void response.status(404).json({ ok: false, error: target });
    try {
      if (!isJson(request.body)) throw new Refusal('invalid_payload');
      applyResponse(workspace, target, request.body);
      response.type('text').send('ok');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response
        .status(error.error === 'message_not_found' ? 404 : 400)
        .json({ ok: false, error: error.error, ...error.extra });
    }
  });
  return router;
}
