import { z } from 'zod';

/** The id of a queued export. One of a wrong form was never given to any, so it is not found like every other. */
export const exportId = z.string().meta({ format: 'uuid', description: 'Id of the queued export.' });
