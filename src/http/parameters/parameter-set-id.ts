import { z } from 'zod';

/** The id of a parameter set. One of a wrong form was never given to any, so it is not found like every other. */
export const parameterSetId = z.string().meta({ format: 'uuid', description: 'Id of the parameter set.' });
