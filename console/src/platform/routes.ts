import { createRootRoute, createRoute } from '@tanstack/react-router';

/**
 * The parent routes of the pages. `src/app` sets their components, so features need not import the frame.
 */
export const rootRoute = createRootRoute();

/** Pages inside the navigation, for signed-in users. */
export const insideRoute = createRoute({ getParentRoute: () => rootRoute, id: 'in' });
