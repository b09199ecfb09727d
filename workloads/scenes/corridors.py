# SPDX-License-Identifier: Apache-2.0
"""Indoor corridors and rooms."""

import numpy as np

from workloads.scenes.batches import Batches
from workloads.scenes.scene import CLAMP, Camera, Scene
from workloads.scenes.shapes import box, cylinder, quad

CELL, HEIGHT = 3.0, 3.0

# '#' rock, '.' corridor, 'r' brick room, 'm' metal room, 'w' wooden room, 'D' a closed door in a wall
PLAN = (
    "########################",
    "#rrrrr####mmmmmm########",
    "#rrrrr####mmmmmm##wwwww#",
    "#rrrrr#D##mmmmmm##wwwww#",
    "#rrrrr...........Dwwwww#",
    "#rrrrr#.##mmmmmm#.wwwww#",
    "###.#D#.##mmmmmm#.######",
    "###.###.#D##.#D##.##D###",
    "D......................D",
    "###.#D.####.#.###.#D##D#",
    "#rrrr#.#mmmmmmm##.wwww##",
    "#rrrr#.#mmmmmmm##.wwww##",
    "#rrrr..#mmmmmmm#..wwww##",
    "#rrrr#.#mmmmmmm##.wwww##",
    "######D####.######D#####",
)

#: wall, floor and ceiling of each kind of cell
LOOKS = {
    ".": ("brick", "tiles", "concrete"),
    "r": ("concrete", "wood", "concrete"),
    "m": ("metal", "metal", "concrete"),
    "w": ("marble", "wood", "wood"),
}
#: repeats of a texture along one cell
REPEATS = {"brick": 1.0, "concrete": 0.5, "metal": 2.0, "marble": 1.0, "wood": 1.0, "tiles": 2.0}


def kind(column: int, row: int) -> str:
    """What is at a cell of the plan; outside there is rock."""
    inside = 0 <= row < len(PLAN) and 0 <= column < len(PLAN[row])
    return PLAN[row][column] if inside else "#"


def corridors() -> Scene:
    """Corridors and rooms: repeating textures on walls, floors and ceilings, doors, crates, barrels."""
    batches = Batches()
    rng = np.random.default_rng(4)
    for row, line in enumerate(PLAN):
        for column, cell in enumerate(line):
            if cell in LOOKS:
                _cell(batches, column, row, cell)
                if rng.random() < (0.16 if cell == "." else 0.3):
                    _furniture(batches, column, row, rng)
    cameras = (
        _camera((4.2, 8.5), (23.0, 8.45)),
        _camera((10.3, 5.8), (14.6, 1.6)),
        _camera((2.2, 12.9), (3.9, 9.4)),
        _camera((7.5, 3.9), (7.45, 9.0)),
    )
    return Scene("corridors", batches.meshes(cameras[0]), batches.textures, cameras, ((8, 8, 10), (8, 8, 10)))


def _camera(eye: tuple[float, float], target: tuple[float, float]) -> Camera:
    """At eye level over a point of the plan, looking at another."""
    return Camera.towards(
        (eye[0] * CELL, 1.7, eye[1] * CELL),
        (target[0] * CELL, 1.35, target[1] * CELL),
        near=0.05,
        far=120.0,
        fov_y=65,
    )


def _cell(batches: Batches, column: int, row: int, cell: str) -> None:
    """Floor, ceiling and the walls towards solid neighbours of one cell."""
    sector = (column // 4, row // 4)
    wall, floor, ceiling = LOOKS[cell]
    x, z, c, h = column * CELL, row * CELL, CELL, HEIGHT
    r = REPEATS[floor]
    batches.add(sector, floor, quad((x, 0, z), (c, 0, 0), (0, 0, c), (r, r)))
    r = REPEATS[ceiling]
    batches.add(sector, ceiling, quad((x, h, z + c), (c, 0, 0), (0, 0, -c), (r, r)))
    sides = {
        (0, -1): ((x, h, z), (c, 0, 0)),
        (0, 1): ((x + c, h, z + c), (-c, 0, 0)),
        (-1, 0): ((x, h, z + c), (0, 0, -c)),
        (1, 0): ((x + c, h, z), (0, 0, c)),
    }
    for (dx, dz), (corner, across) in sides.items():
        neighbour = kind(column + dx, row + dz)
        if neighbour == "#":
            r = REPEATS[wall]
            batches.add(sector, wall, quad(corner, across, (0, -h, 0), (r, r)))
        elif neighbour == "D":
            batches.add(sector, "door", quad(corner, across, (0, -h, 0)), wrap_u=CLAMP, wrap_v=CLAMP)


def _furniture(batches: Batches, column: int, row: int, rng: np.random.Generator) -> None:
    """A crate, two stacked crates or a barrel in a cell."""
    place = ((column + rng.uniform(0.35, 0.65)) * CELL, 0, (row + rng.uniform(0.35, 0.65)) * CELL)
    sector, turn = (column // 4, row // 4), float(rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.35:
        batches.add(sector, "metal", cylinder(0.4, 1.1).turned(turn).moved(place))
        return
    size = float(rng.uniform(0.8, 1.2))
    batches.add(sector, "crate", box((size, size, size)).turned(turn).moved(place))
    if rng.random() < 0.5:
        top = (place[0], size, place[2])
        batches.add(sector, "crate", box((0.6, 0.6, 0.6)).turned(turn + 0.5).moved(top))
