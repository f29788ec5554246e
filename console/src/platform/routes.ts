import { createRootRoute, createRoute } from '@tanstack/react-router';

/**
 * What features hang their pages under. The frame around them (`src/app`) gives both their components, so that a feature
 * needs to know nothing of it.
 */
export const rootRoute = createRootRoute();

/** Only for who is signed in, inside the navigation. */
export const insideRoute = createRoute({ getParentRoute: () => rootRoute, id: 'in' });
