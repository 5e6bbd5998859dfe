module Count (countWords, (<+>)) where

import qualified Data.Map.Strict as Map

countWords :: [String] -> Map.Map String Int
countWords = Map.fromListWith (+) . map (\w -> (w, length w))

(<+>) :: Map.Map String Int -> Map.Map String Int -> Map.Map String Int
a <+> b = Map.unionWith (+) a b
