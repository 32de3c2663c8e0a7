import { lazy, Suspense, type ComponentType, type ReactNode } from "react";

/**
 * A view that is fetched when it is first shown; `waiting` stands there meanwhile, with a mark for who must know that
 * something is yet to come. One that does not come is missing, and no more: `missing` stands there then.
 */
export function lately<Props extends object>(
  load: () => Promise<ComponentType<Props>>, waiting: ReactNode = null, missing: ReactNode = null,
) {
  const View = lazy<ComponentType<Props>>(() => load().catch(() => () => missing).then((view) => ({ default: view })));
  return function Lately(props: Props) {
    return (
      <Suspense fallback={<>{waiting}<i hidden data-coming="" /></>}>
        <View {...props} />
      </Suspense>
    );
  };
}
